"""Trees of which only comments and empty lines have changed: the statements from before, at their places in the new text.

So whatever was found out about the statements stays true, and its places are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst

from dllint.source.chunk import Tree
from dllint.source.positions import Range, code_in, nested
from dllint.source.statement_lines import StatementIndex


def restated(known: Tree | None, present: Tree) -> Tree:
    """The statements of a known tree at the places of those of another one with the same meaning; the other tree, if there is
    no such tree or they do not correspond."""
    if known is None or (known.default_indent, known.default_newline) != (present.default_indent, present.default_newline):
        return present
    pairs = list(_pairs(known.origin, present))
    if not all(type(old) is type(new) for old, new in pairs):
        return present
    return _Restated(known.origin, present, pairs)


def _pairs(known: Tree, present: Tree) -> Iterator[tuple[Any, Any]]:
    """The statements and clauses of two trees, side by side; ``None`` where one has no more."""
    old = [part for top in known.statements for part in (top, *nested(top))]
    new = [part for top in present.statements for part in (top, *nested(top))]
    yield from zip(old, new, strict=False) if len(old) == len(new) else [(None, present)]


class _Restated(Tree):
    """The statements of ``origin`` at the places of those of ``present``, which correspond to them pair by pair."""

    def __init__(self, origin: Tree, present: Tree, pairs: list[tuple[Any, Any]]) -> None:
        index = StatementIndex(present.default_indent, present.index.continued)
        self._partners: dict[int, Any] = {}
        for old, new in pairs:
            self._partners[id(old)] = new
            index.places[id(old)] = present.index.places[id(new)]
            suite = getattr(old, "body", None)
            if isinstance(suite, libcst.SimpleStatementSuite):
                index.places[id(suite)] = present.index.places[id(new)]
                index.suites[id(suite)] = old
        super().__init__(present.text, origin.statements, present.module, index)
        self._origin, self._present = origin, present
        self._found: dict[int, dict[int, Range]] = {}

    @property
    def origin(self) -> Tree:
        """The tree that the statements were made for."""
        return self._origin

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
