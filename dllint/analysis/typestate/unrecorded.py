"""Models that are applied before a tape records, and by whose variables it is asked for gradients: these are all None."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.graph_layers import layers_in
from dllint.analysis.modules import elements, is_module, tree
from dllint.analysis.typestate import order
from dllint.analysis.typestate.tapes import Tape, layers_of, target_of
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: So many operations are followed from a loss back to where its tape begins.
_MOST: Final = 2000


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """``call`` asks for gradients by the variables of a model that ``applied`` applies before its tape records."""

    call: events.LibraryCall
    applied: events.ModuleCall


def applied_before(facts: Facts) -> Iterator[Unrecorded]:
    """The gradients that are None: of all that the tape records, the loss depends on nothing that the model computes."""
    for tape in facts.tapes:
        for call in () if tape.is_reset else tape.gradients:
            models = {id(layer): layer for layer in layers_of(call, facts)}
            model = next(iter(models.values()), None)
            if len(models) != 1 or not isinstance(model, InstanceVal) or not is_module(model):
                continue
            applied = _last_before(model, call, tape, facts)
            parts = layers_in(model, facts)
            if applied is not None and _uses(applied, parts, facts) and _does_without(target_of(call), parts, tape, facts):
                yield Unrecorded(call, applied)


def _uses(applied: events.ModuleCall, parts: frozenset[int], facts: Facts) -> bool:
    """Whether it is known which layers of a model perform a call."""
    results = (value for value in elements(applied.result) if isinstance(value, TensorVal))
    return any(id(op.layer) in parts for op in facts.ancestors(*results))


def _last_before(model: InstanceVal, call: events.LibraryCall, tape: Tape, facts: Facts) -> events.ModuleCall | None:
    """The last call of a model before its tape, in the function that asks for the gradients and in the same pass."""
    loop = facts.training.innermost(call)
    for event in reversed(facts.program.trace[: tape.regions[0].start]):
        if isinstance(event, events.ModuleCall) and event.callee is model and event.scope == call.scope:
            same = facts.training.innermost(event) is loop
            return event if same and order.happens_with(event, call) else None
    return None


def _does_without(target: Value, parts: frozenset[int], tape: Tape, facts: Facts) -> bool:
    """Whether a tape records at least one step of a loss, and nothing that one of the layers performs."""
    recorded = [facts.program.trace[number] for region in tape.regions for number in region]
    if not isinstance(target, TensorVal) or any(_applies(item, parts) for item in recorded):
        return False
    steps = {id(item) for item in recorded if isinstance(item, Op)}
    todo, seen = [target], set[int]()
    while todo and len(seen) < _MOST:
        tensor = todo.pop()
        op = tensor.producer
        if tensor.varies or tensor.foreign or tensor.several or (op is not None and not _is_certain(op)):
            return False
        if op is not None and id(op) in steps and id(op) not in seen:
            seen.add(id(op))
            todo += op.inputs
    return bool(seen) and not todo


def _applies(item: object, parts: frozenset[int]) -> bool:
    """Whether an operation or a call is that of one of the layers, or of a model that one is part of."""
    if isinstance(item, Op):
        return id(item.layer) in parts or id(item.owner) in parts
    if isinstance(item, (events.ModuleCall, events.ForwardCall)):
        return not isinstance(item.callee, InstanceVal) or any(id(part) in parts for part in tree(item.callee))
    return False


def _is_certain(op: Op) -> bool:
    """Whether it is known which operands an operation has, and that none of them is a variable."""
    if op.kind == JOIN or op.faults or does(op, Trait.VARIABLE):
        return False
    return not any(_has_unknown(value) for value in op.args.values())


def _has_unknown(value: Value) -> bool:
    if isinstance(value, ListVal):
        return value.rest is not None or any(map(_has_unknown, value.items))
    return isinstance(value, Unknown) or (isinstance(value, tuple) and any(map(_has_unknown, value)))
