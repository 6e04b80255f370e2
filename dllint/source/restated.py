"""Trees of a changed text that keep the statements of the tree before, as far as their code is the same.

So whatever was found out about the statements stays true, and its places are exact. If only comments and empty lines have
changed, all statements stay (:func:`restated`). If the bodies of functions have changed and nothing else, in a function or in a
class with its methods, the definitions stay but for these bodies (:func:`continued`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, TypeAlias

import libcst

from dllint.source.chunk import Tree
from dllint.source.positions import Range, code_in, nested
from dllint.source.significant import significant
from dllint.source.statement_lines import StatementIndex

#: A statement or clause, and the one in whose place it stands, or that has taken its place.
_Pair: TypeAlias = tuple[libcst.CSTNode, libcst.CSTNode]
_Definition: TypeAlias = libcst.FunctionDef | libcst.ClassDef
#: After so many definitions with other code a tree stands for itself, so that former ones can be forgotten.
_MOST_FORMER: Final = 64


def restated(known: Tree | None, present: Tree) -> Tree:
    """The statements of a known tree at the places of those of another one with the same meaning; the other tree, if there is
    no such tree or they do not correspond."""
    if known is None or not _is_laid_out_alike(known, present):
        return present
    pairs = list(_pairs(known.origin, present))
    if not all(type(old) is type(new) for old, new in pairs):
        return present
    return _Restated(known.origin, present, pairs)


def continued(known: Tree | None, present: Tree) -> Tree:
    """The definition of a known tree with the bodies that functions have in another one; the other tree, if there is no such
    tree or more has changed."""
    if known is None or not _is_laid_out_alike(known, present) or len(_needed(known.origin)) >= _MOST_FORMER:
        return present
    merge = _Merge(known, present)
    (old,), (new,) = known.statements, present.statements
    made = merge.definition(old, new, (len(known.lines.starts), len(present.lines.starts)))
    return present if made is None else _Continued(known.origin, present, merge.pairs, made, merge.changed)


def _needed(tree: Tree) -> dict[int, _Pair]:
    """The former definitions of a tree that somebody refers to."""
    if tree.needed is None:
        return tree.code
    return {key: pair for key, pair in tree.code.items() if key in tree.needed}


def defines(tree: Tree) -> tuple[type, str] | None:
    """The kind and name of what a tree defines, if it is one definition."""
    if len(tree.statements) == 1 and isinstance(tree.statements[0], (libcst.FunctionDef, libcst.ClassDef)):
        return type(tree.statements[0]), tree.statements[0].name.value
    return None


def _is_laid_out_alike(known: Tree, present: Tree) -> bool:
    return (known.default_indent, known.default_newline) == (present.default_indent, present.default_newline)


def _pairs(known: Tree, present: Tree) -> Iterator[tuple[Any, Any]]:
    """The statements and clauses of two trees, side by side; ``None`` where one has no more."""
    old = [part for top in known.statements for part in (top, *nested(top))]
    new = [part for top in present.statements for part in (top, *nested(top))]
    yield from zip(old, new, strict=False) if len(old) == len(new) else [(None, present)]


class _Merge:
    """A definition as it was, with the bodies that functions have now. ``pairs`` are its statements, with those of the present
    tree in whose places they stand; ``changed`` the definitions that have other code, before and now."""

    def __init__(self, known: Tree, present: Tree) -> None:
        self._known, self._present = known, present
        self.pairs: list[_Pair] = []
        self.changed: list[_Pair] = []

    def definition(self, old: Any, new: Any, ends: tuple[int, int]) -> _Definition | None:
        """A definition that may have changed; ``None`` if it has otherwise than in bodies. ``ends``: the lines behind both."""
        blocks = isinstance(old.body, libcst.IndentedBlock) and isinstance(new.body, libcst.IndentedBlock)
        if type(old) is not type(new) or not blocks or self._header(self._known, old) != self._header(self._present, new):
            return None
        if isinstance(old, libcst.FunctionDef):
            body = new.body
            self.pairs += [(part, part) for part in nested(new)]
        else:
            parts = self._statements(old.body.body, new.body.body, ends)
            if parts is None:
                return None
            body = new.body.with_changes(body=parts)
        made: _Definition = old.with_changes(body=body)
        self.pairs += [(old, new), (made, new)]
        self.changed.append((old, made))
        return made

    def _statements(self, old: Any, new: Any, ends: tuple[int, int]) -> list[Any] | None:
        if len(old) != len(new):
            return None
        out: list[Any] = []
        lines = zip(self._lines(self._known, old, ends[0]), self._lines(self._present, new, ends[1]), strict=True)
        for before, now, ((first, end), (begin, stop)) in zip(old, new, lines, strict=True):
            if _is_same_code(_text(self._known, first, end), _text(self._present, begin, stop)):
                pairs = list(zip((before, *nested(before)), (now, *nested(now)), strict=False))
                if not all(type(one) is type(other) for one, other in pairs):
                    return None
                self.pairs += pairs
                out.append(before)
            elif isinstance(before, libcst.FunctionDef) and (made := self.definition(before, now, (end, stop))) is not None:
                out.append(made)
            else:
                return None
        return out

    def _lines(self, tree: Tree, statements: Any, end: int) -> Iterable[tuple[int, int]]:
        """First line of each statement, and the one behind it."""
        return pairwise([*(tree.index.places[id(statement)].line for statement in statements), end])

    def _header(self, tree: Tree, definition: Any) -> tuple[str, str]:
        first = tree.index.places[id(definition)].line
        return significant(_text(tree, first, tree.index.places[id(definition.body.body[0])].line))


def _is_same_code(one: str, other: str) -> bool:
    return one == other or significant(one) == significant(other)


def _text(tree: Tree, first: int, end: int) -> str:
    starts = [*tree.lines.starts, len(tree.text)]
    return tree.text[starts[first] : starts[min(end, len(starts) - 1)]]


class _Shown(Tree):
    """Statements at the places of those of ``present``, which correspond to them pair by pair."""

    def __init__(self, statements: tuple[Any, ...], present: Tree, pairs: Iterable[_Pair]) -> None:
        index = StatementIndex(present.default_indent, present.index.continued)
        self._partners: dict[int, Any] = {}
        for old, new in pairs:
            self._partners[id(old)] = new
            index.places[id(old)] = present.index.places[id(new)]
            suite = getattr(old, "body", None)
            if isinstance(suite, libcst.SimpleStatementSuite):
                index.places[id(suite)] = present.index.places[id(new)]
                index.suites[id(suite)] = old
        super().__init__(present.text, statements, present.module, index)
        self._present = present
        self._found: dict[int, dict[int, Range]] = {}

    @property
    def parsed(self) -> Tree:
        """As of any tree."""
        return self._present

    def leading(self, statement: libcst.CSTNode) -> int:
        """As of any tree, in the present text."""
        return self._present.leading(self._partner(statement))

    def extent(self, statement: Any) -> tuple[int, int]:
        """As of any tree, in the present text."""
        return self._present.extent(self._partner(statement))

    def ranges(self, statement: libcst.CSTNode) -> dict[int, Range]:
        """As of any tree: each node is where its counterpart is."""
        statement = self.clause(statement)
        known = self._found.get(id(statement))
        if known is None:
            partner, module = self._partner(statement), (self.default_indent, self.default_newline)
            measured, place = self._present.ranges(partner), self.index.places[id(statement)]
            pairs = zip(code_in(statement, place, module), code_in(partner, place, module), strict=True)
            known = self._found[id(statement)] = {id(old): measured[id(new)] for old, new in pairs if id(new) in measured}
        return known

    def _partner(self, statement: libcst.CSTNode) -> Any:
        return self._partners[id(self.clause(statement))]


class _Restated(_Shown):
    """The statements of ``origin``."""

    def __init__(self, origin: Tree, present: Tree, pairs: list[tuple[Any, Any]]) -> None:
        places = {id(old): new for old, new in pairs}
        former = [(old, places[id(now)]) for old, now in origin.code.values()]
        super().__init__(origin.statements, present, [*pairs, *former])
        self._origin = origin

    @property
    def origin(self) -> Tree:
        """The tree that the statements were made for."""
        return self._origin


class _Continued(_Shown):
    """The definition of ``known`` with other bodies."""

    def __init__(self, known: Tree, present: Tree, pairs: list[_Pair], made: _Definition, changed: list[_Pair]) -> None:
        now = {id(old): new for old, new in changed}
        code = {key: (old, now.get(id(last), last)) for key, (old, last) in _needed(known).items()}
        self._code = {**code, **{id(old): (old, new) for old, new in changed}}
        places = {id(old): new for old, new in pairs}
        super().__init__((made,), present, [*pairs, *((old, places[id(new)]) for old, new in self._code.values())])
        self._base = known.base

    @property
    def base(self) -> Tree:
        """The tree whose definition this was first."""
        return self._base

    @property
    def code(self) -> dict[int, _Pair]:
        """By ``id`` of a former definition: it and the one that has taken its place."""
        return self._code
