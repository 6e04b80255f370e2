"""The flag ``training`` with which Keras models are called in training steps written by hand, and in evaluations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.graph_layers import layers_in, layers_of
from dllint.analysis.modules import is_module
from dllint.analysis.own_statements import enclosing
from dllint.analysis.typestate import tapes
from dllint.analysis.typestate.tapes import Tape
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

#: Operations of layers that compute something else while a model is trained.
_MODAL: Final = having(Trait.DROPS) | having(Trait.STANDARDISES | Trait.SCALES)
#: Names of functions that evaluate.
_EVALUATES: Final = re.compile(r"(?:^|_)(?:val|valid|validate|validation|test|eval|evaluate|evaluation|predict)(?:_|$)", re.I)
#: Words of code that keeps a model in training mode on purpose.
_ON_PURPOSE: Final = re.compile(
    r"monte.?carlo|\bmc\b|mc_|_mc|uncertain|bayes|stochastic|sampl|generator|discriminator|dropout", re.IGNORECASE
)
_FLAG: Final = "training"


@dataclass(frozen=True, slots=True)
class Flagged:
    """``call`` applies a model whose ``layer`` computes something else while it is trained; ``asked`` are its gradients."""

    call: events.ModuleCall
    layer: InstanceVal
    asked: events.LibraryCall | None


def trained_without_flag(facts: Facts) -> Iterator[Flagged]:
    """The models that a tape trains and that are called without a flag, at each place once. Who writes ``training=False`` means
    it."""
    seen: set[int] = set()
    numbers = {id(item): number for number, item in enumerate(facts.program.trace)}
    for tape in facts.tapes:
        asked = [(call, tapes.layers_of(call, facts)) for call in tape.gradients]
        if not any(layers for _, layers in asked):
            continue
        for call in _outermost(facts):
            if not tape.records(numbers[id(call)]) or id(call.site.node) in seen or _flag(call) is not None:
                continue
            if _may_have_flag(call) or not _is_innermost(tape, numbers[id(call)], facts):
                continue
            for gradients, layers in asked:
                layer = _idle_layer(call, layers, facts)
                if layer is not None:
                    seen.add(id(call.site.node))
                    yield Flagged(call, layer, gradients)
                    break


def evaluated_with_flag(facts: Facts) -> Iterator[Flagged]:
    """The models that functions which evaluate call with ``training=True``, at each place once."""
    seen: set[int] = set()
    for call in _outermost(facts):
        if _flag(call) is not True or not _EVALUATES.search(call.scope.rpartition(".")[2]) or id(call.site.node) in seen:
            continue
        if id(call) in _under_tapes(facts) or _is_on_purpose(call):
            continue
        layer = next((layer for layer in layers_of(call.callee, facts) if _is_modal(layer)), None)
        if layer is not None:
            seen.add(id(call.site.node))
            yield Flagged(call, layer, None)


def _under_tapes(facts: Facts) -> set[int]:
    regions = [region for tape in facts.tapes for region in tape.regions]
    trace = facts.program.trace
    return {id(trace[number]) for region in regions for number in region}


def _is_on_purpose(call: events.ModuleCall) -> bool:
    """Whether the function around a call speaks of samples of a model that drops."""
    functions = [part for part in enclosing(call.site) if isinstance(part, cst.FunctionDef)]
    return bool(functions) and _ON_PURPOSE.search(cst.Module([]).code_for_node(functions[-1])) is not None


def _outermost(facts: Facts) -> list[events.ModuleCall]:
    """The calls of Keras models and layers that no other call of one performs."""
    calls = facts.events(events.ModuleCall)
    nodes = {id(call.site.node) for call in calls}
    return [
        call
        for call in calls
        if isinstance(call.callee, InstanceVal)
        and is_module(call.callee)
        and not any(id(frame.node) in nodes for frame in call.site.stack()[1:])
        and isinstance(call.site.node, cst.Call)
    ]


def _flag(call: events.ModuleCall) -> Value:
    return unwrap(call.keywords.get(_FLAG))


def _may_have_flag(call: events.ModuleCall) -> bool:
    """Whether an argument behind the first one is no tensor, so that it may be the flag by its place."""
    return any(not isinstance(value, TensorVal) for value in call.args[1:])


def _is_innermost(tape: Tape, number: int, facts: Facts) -> bool:
    """Whether no tape in a tape records what stands at a place of the trace: that one asks for other gradients. Tapes that one
    ``with`` enters are side by side."""
    trace = facts.program.trace
    own = {id(trace[region.start].site.statement) for region in tape.regions}
    around = [region for other in facts.tapes for region in other.regions if number in region]
    return all(id(trace[region.start].site.statement) in own for region in around)


def _idle_layer(call: events.ModuleCall, layers: list[Value], facts: Facts) -> InstanceVal | None:
    """A layer that a call performs without a flag, among those that are trained, and that computes something else while it is
    trained; ``None`` if any layer in it is given a flag of its own."""
    within = [
        other
        for other in facts.events(events.ModuleCall)
        if other is not call and any(frame.node is call.site.node for frame in other.site.stack())
    ]
    performed = [call.callee, *(other.callee for other in within), *_of_graph(call, facts)]
    own = {id(layer) for layer in performed}
    flags = [_flag(other) for other in facts.events(events.ModuleCall) if other in (call, *within) or id(other.callee) in own]
    if any(flag not in (None, False) for flag in flags):
        return None
    trained = frozenset[int]().union(*(layers_in(layer, facts) for layer in layers))
    modal = (layer for layer in performed if isinstance(layer, InstanceVal) and _is_modal(layer))
    return next((layer for layer in modal if id(layer) in trained), None)


def _of_graph(call: events.ModuleCall, facts: Facts) -> Iterator[InstanceVal]:
    """The layers of a functional model that a call performs: the operations of its graph stand where they were written."""
    for op in facts.ops:
        if isinstance(op.layer, InstanceVal) and any(frame.node is call.site.node for frame in op.site.stack()[1:]):
            yield op.layer


def _is_modal(layer: InstanceVal) -> bool:
    """Whether a layer drops elements or normalises by the batch while it is trained, and is not frozen."""
    config = layer.layer
    if config is None or config.row.framework != "keras" or config.row.op not in _MODAL:
        return False
    rate = unwrap(config.args.get("p"))
    return rate != 0 and unwrap(layer.attrs.get("trainable", True)) is not False
