"""Which assignments to local names are dead: overwritten, or left, before anybody reads them.

Def-use over straight-line code: within one block, from an assignment to the next one of the same name, on whatever lines they
stand. A compound statement between them that reads the name keeps it alive; one that may leave the block (``break``,
``continue``) ends the search, and so does a try block, whose handlers may read anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from dllint.source.document import Document
from dllint.source.memo import of_node
from dllint.source.walk import is_statement, small_statements, walk

_ENDING = frozenset({cst.Break, cst.Continue, cst.Return, cst.Raise})
_LEAVING = frozenset({cst.Break, cst.Continue, cst.Global, cst.Nonlocal})


@dataclass(frozen=True, slots=True)
class Dead:
    """An assignment whose value is never read. ``killer`` is the assignment that overwrites it, ``None`` if the function
    ends first."""

    name: str
    value: cst.BaseExpression
    killer: cst.Assign | None


@of_node
def dead_in_function(node: cst.FunctionDef) -> tuple[Dead, ...]:
    """The dead assignments of a function, nested functions left out."""
    reads = _read_names(node)
    body = steps(node.body.body, node.body)
    found = list(dead_in(body))
    killed = {id(dead.value) for dead in found}
    for step in _steps_below(body):
        bound = binding(step)
        if bound is not None and bound[0] not in reads and id(bound[1]) not in killed:
            found.append(Dead(bound[0], bound[1], None))
    return tuple(found)


def dead_at_top(document: Document) -> tuple[Dead, ...]:
    """The overwritten assignments of a module's top level."""
    return tuple(dead_in(steps(document.body)))


def steps(body: Sequence[Any], block: cst.CSTNode | None = None) -> list[Any]:
    """The statements of a block in order: those on one line (or in a suite behind a colon) one by one, and compound
    statements."""
    if isinstance(block, cst.SimpleStatementSuite):
        return list(body)
    return [step for statement in body for step in small_statements(statement) or (statement,)]


def dead_in(body: Sequence[Any]) -> Iterator[Dead]:
    """The overwritten assignments among the steps of a block and of the blocks inside it."""
    killers = _killers(body)
    for position, step in enumerate(body):
        bound = binding(step)
        if bound is not None and position in killers:
            yield Dead(*bound, killers[position])
        for block in _blocks(step):
            yield from dead_in(block)


def binding(step: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """``(name, value)`` of a statement ``name = value``."""
    if isinstance(step, cst.Assign) and len(step.targets) == 1 and isinstance(step.targets[0].target, cst.Name):
        return step.targets[0].target.value, step.value
    return None


def _killers(body: Sequence[Any]) -> dict[int, cst.Assign]:
    """By the position of an assignment: the one that overwrites it before anybody reads it. One way back through the block,
    which keeps what stands first behind it for each name."""
    found: dict[int, cst.Assign] = {}
    next_: dict[str, cst.Assign] = {}
    for position in range(len(body) - 1, -1, -1):
        step = body[position]
        bound = binding(step)
        if bound is not None and bound[0] in next_:
            found[position] = next_[bound[0]]
        if _leaves(step):
            next_.clear()
        for name in _names(step):
            next_.pop(name, None)
        if bound is not None and bound[0] not in _names(bound[1]):
            next_[bound[0]] = step
    return found


@of_node
def _names(node: cst.CSTNode) -> frozenset[str]:
    # The exact class: an instance check of an abstract base class costs more than the walk.
    return frozenset(part.value for part in walk(node) if part.__class__ is cst.Name)


@of_node
def _leaves(step: cst.CSTNode) -> bool:
    if not is_statement(step):
        return step.__class__ in _ENDING
    return any(part.__class__ in _LEAVING for part in walk(step))


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


def _steps_below(body: Sequence[Any]) -> Iterator[Any]:
    for step in body:
        yield step
        for block in _blocks(step):
            yield from _steps_below(block)


def _blocks(step: cst.CSTNode) -> Iterator[list[Any]]:
    """The blocks of a compound statement, functions, classes and try blocks left out."""
    if isinstance(step, (cst.If, cst.For, cst.While, cst.With, cst.Else)):
        yield steps(step.body.body, step.body)
        orelse = getattr(step, "orelse", None)
        if orelse is not None:
            yield from _blocks(orelse)
