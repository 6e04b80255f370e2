"""Keras layers that are frozen or thawed after their model was trained, which its next training does not heed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.modules import has_weights, is_module, tree
from dllint.analysis.training import Loop
from dllint.analysis.typestate import opaque
from dllint.ir import events
from dllint.ir.program import Event, tensors_in
from dllint.ir.values import InstanceVal, Value, unwrap

_TRAINABLE: Final = "trainable"
_FITS: Final = ("fit", "fit_generator")
#: Code that trains without a function that is made once, or makes that anew.
_ANEW: Final = re.compile(r"run_eagerly|run_functions_eagerly|KERAS_BACKEND|train_function|clear_session|clone_model")


@dataclass(frozen=True, slots=True)
class Unheeded:
    """``write`` changes what is trained of a model between its trainings ``first`` and ``later``; ``compiled`` was before."""

    write: events.AttributeWrite
    first: events.Fit
    later: events.Fit
    compiled: events.Compile | None


def unheeded(facts: Facts) -> Iterator[Unheeded]:
    """The changes of ``trainable`` that come too late for a model, the first one before each training."""
    graphs = _Graphs(facts)
    writes, fits = _writes(facts, graphs), [fit for fit in facts.events(events.Fit) if fit.method in _FITS]
    if not writes or len(fits) < 2 or _makes_anew([*writes, *fits]):
        return
    happened = facts.training.events
    numbers = {id(event): number for number, event in enumerate(happened)}
    told = set[int]()
    for write in writes:
        number, loop = numbers[id(write)], _loop_that_trains(write, facts)
        if not _changes(write, writes, graphs):
            continue
        for later in fits:
            first = next((fit for fit in fits if fit.model is later.model and numbers[id(fit)] < number), None)
            if numbers[id(later)] < number or first is None or id(later) in told:
                continue
            if not graphs.has(later.model, write.receiver) or (
                loop is not None and first in facts.training.within(loop, events.Fit)
            ):
                continue
            between = happened[number : numbers[id(later)]]
            if _may_be_compiled(later.model, between) or _may_be_compiled(later.model, happened[numbers[id(first)] : number]):
                continue
            told.add(id(later))
            yield Unheeded(write, first, later, _compiled_before(later.model, happened[:number]))
            break


def _writes(facts: Facts, graphs: _Graphs) -> list[events.AttributeWrite]:
    """What freezes or thaws Keras layers and models with weights."""
    return [
        write
        for write in facts.events(events.AttributeWrite)
        if write.name == _TRAINABLE
        and isinstance(unwrap(write.value), bool)
        and isinstance(write.receiver, InstanceVal)
        and is_module(write.receiver)
        and any(map(has_weights, graphs.parts(write.receiver)))
    ]


def _makes_anew(happened: Sequence[Event]) -> bool:
    frames = (frame for event in happened for frame in event.site.stack() if frame.document is not None)
    return any(_ANEW.search(frame.document.text) for frame in frames)


def _changes(write: events.AttributeWrite, writes: list[events.AttributeWrite], graphs: _Graphs) -> bool:
    """Whether a layer is set to what it was not set to before: layers are trainable until something else is said of them, or of
    a model that they are part of."""
    before = writes[: next(number for number, other in enumerate(writes) if other is write)]
    related = [
        other for other in before if graphs.has(other.receiver, write.receiver) or graphs.has(write.receiver, other.receiver)
    ]
    was = unwrap(related[-1].value) if related else True
    return was is not unwrap(write.value)


class _Graphs:
    """What the models of a program consist of."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._built = {id(graph.model): graph for graph in facts.events(events.ModelGraph)}
        self._known: dict[int, tuple[Value, Sequence[InstanceVal]]] = {}

    def has(self, model: Value, layer: Value) -> bool:
        """Whether a layer or model is a part of a model: one of its members, or applied between its inputs and outputs."""
        inside = {id(part) for part in self.parts(model)}
        weighted = [part for part in self.parts(layer) if part.layer is not None and has_weights(part)]
        return id(layer) in inside or (bool(weighted) and all(id(part) in inside for part in weighted))

    def parts(self, model: Value) -> Sequence[InstanceVal]:
        """A layer or model, and all layers in it."""
        known = self._known.get(id(model))
        if known is None:
            graph = self._built.get(id(model))
            outputs = tensors_in(graph.outputs) if graph is not None else ()
            applied = [op.layer for op in self._facts.ancestors(*outputs) if op.layer is not None]
            parts = [*tree(model), *(part for layer in applied for part in tree(layer))]
            self._known[id(model)] = (model, parts)
            return parts
        return known[1]


def _loop_that_trains(write: events.AttributeWrite, facts: Facts) -> Loop | None:
    """The loop around a write, if models are trained in it: of that, only the order of the first pass is known."""
    around = facts.training.innermost(write)
    return around if around is not None and facts.training.within(around, events.Fit) else None


def _may_be_compiled(model: InstanceVal, happened: Sequence[Event]) -> bool:
    if any(isinstance(event, events.Compile) and event.model is model for event in happened):
        return True
    return opaque.is_handed_on(model, [event for event in happened if not _is_of_keras(event)])


def _is_of_keras(event: Event) -> bool:
    return isinstance(event, events.LibraryCall) and event.name.startswith(("keras.", "tensorflow."))


def _compiled_before(model: InstanceVal, happened: Sequence[Event]) -> events.Compile | None:
    return next((event for event in reversed(happened) if isinstance(event, events.Compile) and event.model is model), None)
