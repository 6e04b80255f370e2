"""The operations that lead to a fault, the layers that perform them, and where these are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeVar

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.operations import constructor
from dllint.fixes.places import outer
from dllint.ir.program import Fault, Op, Site
from dllint.ir.values import InstanceVal
from dllint.source.walk import walk

_Part = TypeVar("_Part", cst.FunctionDef, cst.ClassDef)
#: So many operations in front of a fault are looked at.
_MOST: Final = 10
#: So many that have taken the same operands.
_TAKERS: Final = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits that may mend a fault: what they do, and how far-fetched they are (the less, the likelier)."""

    message: str
    edits: tuple[Edit, ...]
    cost: int
    #: Whether it is a guess: it fits the shapes together and says nothing about what the sizes mean. All that fails along the
    #: flow has to be mended by it.
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Faulty:
    """An operation with its fault, and the operations in front of it, itself first, nearest before others."""

    op: Op
    fault: Fault
    flow: tuple[Op, ...]

    @property
    def layers(self) -> list[InstanceVal]:
        """The layers along the flow that the source builds, each once."""
        found = {id(op.layer): op.layer for op in self.flow if op.layer is not None and constructor(op.layer) is not None}
        return list(found.values())


def faulty(op: Op, ops: Iterable[Op], fault: Fault | None = None) -> Faulty | None:
    """What leads to a fault of an operation of a program, the first one it has: what made its operands, and what has taken
    them before and so decided what they are."""
    fault = fault or next(iter(op.faults), None)
    if fault is None:
        return None
    flow, seen = [op], {id(op)}
    for step in flow:
        for value in step.inputs:
            maker = value.producer
            if maker is not None and id(maker) not in seen and len(flow) < _MOST:
                seen.add(id(maker))
                flow.append(maker)
    given = {id(value) for value in op.inputs}
    earlier = takewhile(lambda other: other is not op, ops)
    takers = [other for other in earlier if id(other) not in seen and any(id(value) in given for value in other.inputs)]
    return Faulty(op, fault, (*flow, *takers[-_TAKERS:]))


def sites(op: Op) -> Iterator[Site]:
    """Where an operation is written, and the calls that lead there."""
    site: Site | None = op.site
    while site is not None:
        if site.statement is not None and isinstance(site.node, cst.CSTNode):
            yield site
        site = site.caller


def text_of(site: Site, node: cst.CSTNode) -> str:
    """The text of a node, with its own parentheses."""
    start, end = outer(site, node)
    return site.document.text[start:end]


def function_around(site: Site) -> cst.FunctionDef | None:
    """The innermost function that a site stands in."""
    return next(iter(reversed(_around(site, cst.FunctionDef))), None)


def class_around(site: Site) -> cst.ClassDef | None:
    """The innermost class that a site stands in."""
    return next(iter(reversed(_around(site, cst.ClassDef))), None)


def _around(site: Site, kind: type[_Part]) -> list[_Part]:
    return [
        part
        for top in site.document.chunk_of(site.statement).statements
        for part in walk(top)
        if isinstance(part, kind) and any(below is site.statement for below in walk(part))
    ]
