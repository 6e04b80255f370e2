"""Parameters that say how often something is repeated, and nothing else: ``range(depth)``.

Two blocks and five of them have the same faults, so the default of such a parameter may stand for what callers pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from dllint.ir.values import ClassVal, FuncVal
from dllint.ir.watched import answer
from dllint.source import memo
from dllint.source.walk import children, dotted


class _Use(NamedTuple):
    """A name or attribute that code reads: whether it counts the passes of a loop, and the attribute that takes its value."""

    name: str
    counts: bool
    kept_as: str = ""


def only_counts(func: FuncVal, name: str) -> bool:
    """Whether a parameter of a constructor is given to ``range`` and to nothing else, by way of attributes or not."""
    return isinstance(func.owner, ClassVal) and answer(_only_counts, func.owner, name)


def _only_counts(cls: ClassVal, name: str) -> bool:
    uses = _uses(cls.node)
    names = {name, *(use.kept_as for use in uses if use.name == name and use.kept_as)}
    read = [use for use in uses if not use.kept_as and use.name in names]
    further = any(use.name.startswith(f"{own}.") for use in uses for own in names)
    return bool(read) and not further and all(use.counts for use in read)


@memo.of_node
def _uses(node: cst.CSTNode) -> tuple[_Use, ...]:
    return tuple(_below(node, counts=False))


def _below(node: cst.CSTNode, *, counts: bool) -> Iterator[_Use]:
    if isinstance(node, (cst.Name, cst.Attribute)) and (name := dotted(node)) is not None:
        yield _Use(name, counts)
    elif isinstance(node, cst.Assign) and isinstance(node.value, cst.Name) and (kept := _attributes(node)):
        yield from (_Use(node.value.value, counts=False, kept_as=attribute) for attribute in kept)
    elif isinstance(node, cst.Param):
        yield from _below(node.default, counts=False) if node.default is not None else ()
    else:
        in_range = isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "range"
        for part in children(node):
            if not isinstance(part, cst.AssignTarget):
                yield from _below(part, counts=counts or in_range)


def _attributes(node: cst.Assign) -> list[str]:
    """The attributes of ``self`` that an assignment to nothing else sets."""
    found = [dotted(target.target) or "" for target in node.targets]
    return found if all(name.startswith("self.") for name in found) else []
