"""Graphs of torch: which operations a backward pass goes through, and what becomes of what they keep for it."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.analysis.facts import Facts
from dllint.analysis.recorded import may_be_switched_off, starts
from dllint.domains.dtype import DType
from dllint.ir import events
from dllint.ir.program import JOIN, Op, Site, TensorVal
from dllint.ops.aliases import is_in_place
from dllint.ops.kinds import does
from dllint.ops.traits import Trait


def differentiated(loss: TensorVal, facts: Facts) -> Iterator[Op]:
    """The operations through which gradients come back from a loss, for sure: not those of which one path or pass may have
    another one, nor those behind what cuts graphs."""
    seen: set[int] = set()
    waiting = [loss]
    while waiting:
        tensor = waiting.pop()
        op = tensor.producer
        if op is None or id(op) in seen or tensor.foreign or tensor.several or not _is_float(tensor) or _is_cut(tensor, facts):
            continue
        if id(op) in facts.without_gradient and is_in_place(op):  # a change without gradients leaves the graph as it is
            waiting += (value for value in (op.args.get("x"),) if isinstance(value, TensorVal))
        if not _records(op, facts):
            continue
        seen.add(id(op))
        yield op
        waiting += op.inputs


def requires_gradient(value: TensorVal, site: Site, facts: Facts) -> bool:
    """Whether a tensor, as it was made, requires gradients in every run that comes to ``site`` and differentiates it."""
    if not _is_float(value) or may_be_switched_off(site, facts):
        return False
    return any(starts(op, facts) for op in differentiated(value, facts))


def _is_float(tensor: TensorVal) -> bool:
    """Whether gradients exist for a tensor: of several results of an operation, places have none."""
    return isinstance(tensor.dtype, DType) and tensor.dtype.kind == "float"


def _is_cut(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor is taken out of its graph somewhere (``detach_``)."""
    return any(does(op, Trait.NO_GRADIENT) and is_in_place(op) for op in facts.users(tensor))


def _records(op: Op, facts: Facts) -> bool:
    """Whether an operation is part of a graph that is differentiated by torch itself."""
    if op.framework != "torch" or op.kind == JOIN or not facts.is_recorded(op):
        return False
    return not does(op, Trait.NO_GRADIENT) and id(op) not in facts.own_gradient


def passes(facts: Facts) -> list[tuple[int, events.Backward, TensorVal]]:
    """The backward passes of losses that are known, each with its place in the trace."""
    if not facts.events(events.Backward):
        return []
    return [
        (number, item, item.target)
        for number, item in enumerate(facts.program.trace)
        if isinstance(item, events.Backward) and isinstance(item.target, TensorVal) and item.target.framework == "torch"
    ]
