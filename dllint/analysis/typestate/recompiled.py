"""Keras layers that are frozen or thawed after their model was trained, which its next training does not heed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.modules import graph_layers, has_weights, is_module, tree
from dllint.analysis.typestate import opaque
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import InstanceVal, Value, unwrap

_TRAINABLE: Final = "trainable"
#: What only the models of ``keras.applications`` have in their state: their layers are not known one by one.
_APPLICATION: Final = "application"
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
    writes, fits = _writes(facts), [fit for fit in facts.events(events.Fit) if fit.method in _FITS]
    if not writes or len(fits) < 2 or _makes_anew([*writes, *fits]):
        return
    happened = facts.training.events
    numbers = {id(event): number for number, event in enumerate(happened)}
    told: set[int] = set()
    for write in writes:
        number = numbers[id(write)]
        if not _changes(write, writes) or _is_in_loop_that_trains(write, facts):
            continue
        for later in fits:
            first = next((fit for fit in fits if fit.model is later.model and numbers[id(fit)] < number), None)
            if numbers[id(later)] < number or first is None or id(later) in told or not _is_part(write.receiver, later.model):
                continue
            between = happened[number : numbers[id(later)]]
            if _may_be_compiled(later.model, between) or _may_be_compiled(later.model, happened[numbers[id(first)] : number]):
                continue
            told.add(id(later))
            yield Unheeded(write, first, later, _compiled_before(later.model, happened[:number]))
            break


def _writes(facts: Facts) -> list[events.AttributeWrite]:
    """What freezes or thaws Keras layers and models with weights."""
    return [
        write
        for write in facts.events(events.AttributeWrite)
        if write.name == _TRAINABLE
        and isinstance(unwrap(write.value), bool)
        and isinstance(write.receiver, InstanceVal)
        and is_module(write.receiver)
        and _has_weights(write.receiver)
    ]


def _has_weights(module: InstanceVal) -> bool:
    return has_weights(module) or _APPLICATION in module.state or any(map(has_weights, graph_layers(module)))


def _makes_anew(happened: Sequence[Event]) -> bool:
    frames = (frame for event in happened for frame in event.site.stack() if frame.document is not None)
    return any(_ANEW.search(frame.document.text) for frame in frames)


def _changes(write: events.AttributeWrite, writes: list[events.AttributeWrite]) -> bool:
    """Whether a layer is set to what it was not set to before: layers are trainable until something else is said of them, or of
    a model that they are part of."""
    before = writes[: next(number for number, other in enumerate(writes) if other is write)]
    related = [
        other for other in before if _is_part(write.receiver, other.receiver) or _is_part(other.receiver, write.receiver)
    ]
    was = unwrap(related[-1].value) if related else True
    return was is not unwrap(write.value)


def _is_part(layer: Value, model: Value) -> bool:
    """Whether a layer or model is applied in a model: as a member, by its graph, or layer by layer if it has a graph itself."""
    if any(part is layer for part in tree(model)):
        return True
    if not isinstance(layer, InstanceVal) or not isinstance(model, InstanceVal):
        return False
    applied = {id(part) for part in graph_layers(model)}
    if id(layer) in applied or _APPLICATION in layer.state:
        return id(layer) in applied
    inner = [id(part) for part in (*tree(layer), *graph_layers(layer)) if part.layer is not None]
    return bool(inner) and applied.issuperset(inner)


def _is_in_loop_that_trains(write: events.AttributeWrite, facts: Facts) -> bool:
    """Whether models are trained in the loop around a write: of that, only the order of the first pass is known."""
    around = facts.training.innermost(write)
    return around is not None and bool(facts.training.within(around, events.Fit))


def _may_be_compiled(model: InstanceVal, happened: Sequence[Event]) -> bool:
    if any(isinstance(event, events.Compile) and event.model is model for event in happened):
        return True
    return opaque.is_handed_on(model, [event for event in happened if not _is_of_keras(event)])


def _is_of_keras(event: Event) -> bool:
    return isinstance(event, events.LibraryCall) and event.name.startswith(("keras.", "tensorflow."))


def _compiled_before(model: InstanceVal, happened: Sequence[Event]) -> events.Compile | None:
    return next((event for event in reversed(happened) if isinstance(event, events.Compile) and event.model is model), None)
