"""Where a document names library symbols, read off its imports: for rules that ask about names, not about values.

It holds for code that the interpreter never enters. Where a name is bound to something else than one import, what it stands
for is not told (``tf = tf.compat.v1``; two imports of different modules); a binding in a function concerns that function. A
name that is set to ``None``, where the import fails, is still the library where it is used.

A use counts as *guarded* if the program checks first whether the name exists: a try block that catches the failure, or a
condition on a version or on ``hasattr``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import libcst as cst

from dllint.ir.program import Site
from dllint.source.binding import BINDING, bound_names
from dllint.source.document import Document
from dllint.source.walk import children, dotted, is_statement, walk

_FAILURES: Final = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "NameError"})


@dataclass(frozen=True, slots=True)
class SymbolUse:
    """One use of a qualified library name. ``imported``: the use is the import itself; ``local``: the name that import
    binds, or through which the symbol is reached."""

    name: str
    site: Site
    imported: bool
    local: str


_IMPORTS = frozenset({cst.Import, cst.ImportFrom})
_NAMES = frozenset({cst.Attribute, cst.Name})
#: What binds names of its own.
_SCOPES: Final = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda})
_BINDING: Final = frozenset(BINDING)
_ASSIGNMENTS: Final = frozenset({cst.Assign, cst.AnnAssign})


@dataclass(slots=True)
class _Found:
    """What some statements import, assign to attributes, and name, in source order: the names as they are written."""

    aliases: set[tuple[str, str]] = field(default_factory=set)
    rebound: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    uses: list[_Written] = field(default_factory=list)


class _Written(NamedTuple):
    """A name as it is written, or with the local name that an import binds it to."""

    name: str
    statement: Any
    node: Any
    imported: bool = False
    local: str = ""


def symbol_uses(document: Document, wanted: Callable[[str], bool] = lambda _: True) -> list[SymbolUse]:
    """All unguarded imports and uses of imported names, in source order, of those names that are wanted. What the document puts
    into a library itself (``K.dtype = dtype``) is there."""
    if not document.body:
        return []
    parts = [chunk.tree.origin.answer(_found) for chunk in document.chunks if chunk.tree is not None]
    told = _told(parts, _aliases(parts), set[str]().union(*(part.assigned for part in parts)))
    return [
        SymbolUse(name, Site(document, written.statement, written.node), written.imported, local)
        for written, name, local in told
        if wanted(name)
    ]


def _aliases(parts: Sequence[_Found]) -> dict[str, str]:
    """What each local name stands for, if that is one import throughout."""
    aliases: dict[str, str] = {}
    several = set[str]().union(*(part.rebound for part in parts))
    for local, name in (alias for part in parts for alias in part.aliases):
        if aliases.setdefault(local, name) != name:
            several.add(local)
    return {local: name for local, name in aliases.items() if local not in several}


def _told(parts: Sequence[_Found], aliases: Mapping[str, str], assigned: Set[str]) -> Iterator[tuple[_Written, str, str]]:
    """What is written, with its qualified name and the local one, where that is told."""
    for part in parts:
        for written in part.uses:
            root, dot, rest = written.name.partition(".")
            if written.imported:
                yield written, written.name, written.local
            elif root in aliases and written.name not in assigned:
                yield written, f"{aliases[root]}{dot}{rest}", root


def _found(statements: Sequence[cst.CSTNode]) -> _Found:
    found = _Found()
    for statement in statements:
        for part in walk(statement):
            if part.__class__ in _IMPORTS:
                found.aliases.update((local, name) for name, local, _ in bindings(part) if local)
            elif part.__class__ is cst.AssignTarget and part.target.__class__ is cst.Attribute:
                found.assigned.add(dotted(part.target) or "")
        found.rebound |= _rebound(statement)
        _statement(statement, found)
    return found


def bindings(node: cst.Import | cst.ImportFrom) -> Iterator[tuple[str, str, cst.CSTNode]]:
    """``(qualified name, local name, node)`` of what an absolute import binds; ``import a.b`` binds ``a`` to ``a``, and
    loads ``a.b``, which is given with an empty local name."""
    if isinstance(node, cst.ImportFrom):
        module = dotted(node.module) if node.module is not None else None
        if module is None or node.relative or isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            local = alias.asname.name if alias.asname else alias.name
            yield f"{module}.{dotted(alias.name)}", dotted(local) or "", alias.name
    else:
        for alias in node.names:
            name = dotted(alias.name) or ""
            if alias.asname:
                yield name, dotted(alias.asname.name) or "", alias.name
            else:
                root = name.partition(".")[0]
                yield root, root, alias.name
                if root != name:
                    yield name, "", alias.name


def _statement(statement: cst.CSTNode, found: _Found) -> None:
    if isinstance(statement, (cst.Try, cst.TryStar)) and _catches_absence(statement):
        return
    if isinstance(statement, cst.If) and _checks_presence(statement.test):
        return
    if isinstance(statement, cst.FunctionDef):
        _function(statement, found)
        return
    for child in children(statement):
        _part(child, statement, found)


def _function(function: cst.FunctionDef, found: _Found) -> None:
    """The uses in a function, but for names that it binds itself; those that it declares ``global`` are bound for the file."""
    own = _rebound(function.body)
    found.rebound |= own & {
        item.name.value for part in walk(function.body) if part.__class__ is cst.Global for item in part.names
    }
    own |= {part.name.value for part in walk(function.params) if part.__class__ is cst.Param}
    before = len(found.uses)
    for child in children(function):
        _part(child, function, found)
    found.uses[before:] = [use for use in found.uses[before:] if use.imported or use.name.partition(".")[0] not in own]


def _rebound(node: cst.CSTNode) -> set[str]:
    """The names that code binds otherwise than by imports, without what the functions and classes in it bind for themselves;
    ``None`` is no such binding."""
    names: set[str] = set()
    pending: list[Any] = [node]
    while pending:
        part = pending.pop()
        cls = part.__class__
        if cls in _SCOPES:
            names.update(() if cls is cst.Lambda else (part.name.value,))
        elif cls not in _IMPORTS and not (cls in _ASSIGNMENTS and _is_none(part.value)):
            if cls in _BINDING:
                names.update(bound_names(part.target))
            elif cls is cst.AsName:
                names.update(bound_names(part.name))
            pending += children(part)
    return names


def _is_none(value: cst.BaseExpression | None) -> bool:
    return isinstance(value, cst.Name) and value.value == "None"


def _part(node: Any, statement: Any, found: _Found) -> None:
    cls = node.__class__
    if is_statement(node):
        _statement(node, found)
    elif cls in _IMPORTS:
        found.uses += (_Written(name, statement, part, True, local) for name, local, part in bindings(node))
    elif cls in _NAMES and (written := dotted(node)) is not None:
        found.uses.append(_Written(written, statement, node))
    elif cls is cst.Arg:
        _part(node.value, statement, found)
    else:
        for child in children(node):
            _part(child, statement, found)


def _catches_absence(node: cst.Try | cst.TryStar) -> bool:
    for handler in node.handlers:
        names = {part.value for part in walk(handler.type) if isinstance(part, cst.Name)} if handler.type else _FAILURES
        if names & _FAILURES:
            return True
    return False


def _checks_presence(test: cst.BaseExpression) -> bool:
    names = {part.value.lower() for part in walk(test) if isinstance(part, cst.Name)}
    return "hasattr" in names or any("version" in name for name in names)
