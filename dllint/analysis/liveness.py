"""Which assignments to local names are dead: overwritten, or left, before anybody reads them.

Def-use over straight-line code: within one block, from an assignment to the next one of the same name. A compound
statement between them that reads the name keeps it alive; one that may leave the block (``break``, ``continue``) ends the
search, and so does a try block, whose handlers may read anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import libcst as cst

from dllint.source.walk import walk

_LEAVING = frozenset({cst.Break, cst.Continue, cst.Global, cst.Nonlocal})


@dataclass(frozen=True, slots=True)
class Dead:
    """An assignment whose value nobody reads. ``killer`` is the assignment that overwrites it, ``None`` if the function
    ends first."""

    name: str
    statement: cst.SimpleStatementLine
    value: cst.BaseExpression
    killer: cst.SimpleStatementLine | None


@lru_cache(maxsize=512)
def dead_in_function(node: cst.FunctionDef) -> tuple[Dead, ...]:
    """The dead assignments of a function, nested functions left out."""
    if not isinstance(node.body, cst.IndentedBlock):
        return ()
    reads = _read_names(node)
    found = list(dead_in(node.body.body))
    killed = {id(dead.statement) for dead in found}
    for statement in _statements(node.body.body):
        bound = binding(statement)
        if bound is not None and bound[0] not in reads and id(statement) not in killed:
            found.append(Dead(bound[0], statement, bound[1], None))
    return tuple(found)


@lru_cache(maxsize=8)
def dead_at_top(document: Any) -> tuple[Dead, ...]:
    """The overwritten assignments of a module's top level."""
    return tuple(dead_in(document.body))


def dead_in(body: Sequence[Any]) -> Iterator[Dead]:
    """The overwritten assignments of a block and the blocks inside it."""
    for position, statement in enumerate(body):
        bound = binding(statement)
        if bound is not None:
            killer = _killer(bound[0], body[position + 1 :])
            if killer is not None:
                yield Dead(bound[0], statement, bound[1], killer)
        for block in _blocks(statement):
            yield from dead_in(block)


def binding(statement: Any) -> tuple[str, cst.BaseExpression] | None:
    """``(name, value)`` of a statement ``name = value``."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    part = statement.body[0]
    if isinstance(part, cst.Assign) and len(part.targets) == 1 and isinstance(part.targets[0].target, cst.Name):
        return part.targets[0].target.value, part.value
    return None


def _killer(name: str, rest: Sequence[Any]) -> cst.SimpleStatementLine | None:
    for statement in rest:
        bound = binding(statement)
        if bound is not None and bound[0] == name:
            return None if name in _names(bound[1]) else statement
        if name in _names(statement) or _leaves(statement):
            return None
    return None


@lru_cache(maxsize=8192)
def _names(node: Any) -> frozenset[str]:
    # The exact class: an instance check of an abstract base class costs more than the walk.
    return frozenset(part.value for part in walk(node) if part.__class__ is cst.Name)


@lru_cache(maxsize=1024)
def _leaves(statement: Any) -> bool:
    if isinstance(statement, cst.SimpleStatementLine):
        return any(isinstance(part, cst.Break | cst.Continue | cst.Return | cst.Raise) for part in statement.body)
    return any(part.__class__ in _LEAVING for part in walk(statement))


def _read_names(node: cst.FunctionDef) -> frozenset[str]:
    """Every name that stands anywhere in a function but as the sole target of an assignment."""
    targets: set[int] = set()
    names: set[str] = set()
    part: Any
    for part in walk(node.body):
        cls = part.__class__
        if cls is cst.Assign:
            targets.update(id(t.target) for t in part.targets if isinstance(t.target, cst.Name))
        elif cls is cst.Name:
            if id(part) not in targets:
                names.add(part.value)
        elif cls is cst.Global or cls is cst.Nonlocal:
            names.update(item.name.value for item in part.names)
    return frozenset(names)


def _statements(body: Sequence[Any]) -> Iterator[cst.SimpleStatementLine]:
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield statement
        for block in _blocks(statement):
            yield from _statements(block)


def _blocks(statement: Any) -> Iterator[Sequence[Any]]:
    """The blocks of a compound statement, functions, classes and try blocks left out."""
    if isinstance(statement, cst.If | cst.For | cst.While | cst.With | cst.Else):
        if isinstance(statement.body, cst.IndentedBlock):
            yield statement.body.body
        orelse = getattr(statement, "orelse", None)
        if isinstance(orelse, cst.If) or orelse is not None:
            yield from _blocks(orelse)
