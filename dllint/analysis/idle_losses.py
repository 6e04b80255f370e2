"""Losses that are computed where a model is trained, bound to a name, and never read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.liveness import binding
from dllint.analysis.own_statements import enclosing, is_read_after
from dllint.analysis.recorded import requires_gradient
from dllint.domains.dtype import DType
from dllint.ir.events import Backward
from dllint.ir.program import Op, Site, TensorVal
from dllint.ir.values import unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.ops.values.slices import Slice
from dllint.source.walk import small_statements

_LOSSES: Final = having(Trait.LOSS)
#: So many operations are looked through for those that a loss is put together by.
_MOST: Final = 60


class IdleLoss(NamedTuple):
    """A loss that nothing reads: its name, where that is bound, and the backward pass of the step it belongs to."""

    name: str
    op: Op
    site: Site
    backward: Backward


def idle_losses(facts: Facts) -> Iterator[IdleLoss]:
    """The losses that require gradients, and that no statement of the training step they stand in reads, or of the function
    that computes what is differentiated."""
    losses = [op for op in facts.ops if op.kind in _LOSSES or _is_term(op)]
    backwards = list(facts.events(Backward)) if losses else []
    if not backwards:
        return
    steps = {id(region): event for event in backwards for site in _sites(event) for region in _regions(site)}
    told: set[int] = set()
    for op in losses:
        found = _bound(op)
        if found is None or id(found[1].node) in told or found[0].startswith("_"):
            continue
        name, site = found
        backward = next((steps[id(region)] for region in _region(site) if id(region) in steps), None)
        if backward is None or is_read_after(site, name) or not requires_gradient(op.output, op.site, facts):
            continue
        told.add(id(site.node))
        yield IdleLoss(name, op, site, backward)


def _is_term(op: Op) -> bool:
    """Whether an operation gives one real number, as the terms of a loss are."""
    if len(op.outputs) != 1 or op.framework != "torch":
        return False
    out = op.outputs[0]
    return out.shape == () and isinstance(out.dtype, DType) and out.dtype.kind == "float"


def _sites(backward: Backward) -> Iterator[Site]:
    """Where a loss is differentiated, and where the terms that it is put together of are computed."""
    yield backward.site
    loss = unwrap(backward.target)
    if isinstance(loss, TensorVal):
        found = Slice(loss, _MOST, stops=lambda value: value.producer is not None and not _is_term(value.producer))
        yield from (op.site for op in found.ops)


def _bound(op: Op) -> tuple[str, Site] | None:
    """The name that an operation's result is bound to, perhaps by a caller of the function it stands in, and where."""
    for site in op.site.stack():
        for statement in small_statements(site.statement) if site.statement is not None else ():
            bound = binding(statement)
            if bound is not None and bound[1] is site.node:
                return bound[0], site
    return None


def _regions(site: Site) -> Iterator[Any]:
    for frame in site.stack():
        if frame.document is not None and frame.statement is not None:
            yield from _region(frame)


def _region(site: Site) -> Iterator[Any]:
    """The innermost loop around a statement in its function, else the function."""
    for part in reversed(enclosing(site)):
        if isinstance(part, (cst.For, cst.While, cst.FunctionDef)):
            yield part
            return
