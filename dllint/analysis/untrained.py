"""Models whose weights are random where trained ones are meant: frozen before anything has trained them, or made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.modules import has_weights, tree
from dllint.analysis.typestate import opaque
from dllint.analysis.typestate.groups import groups
from dllint.ir import events
from dllint.ir.program import Event, Op
from dllint.ir.values import ClassVal, DictVal, InstanceVal, IterVal, Value, unwrap

_ZOOS: Final = ("torchvision.models.", "keras.applications.", "tensorflow.keras.applications.")
#: Parameters that say whether a model of a library comes with its trained weights.
_WEIGHTS: Final = ("weights", "pretrained", "pretrained_backbone", "weights_backbone")
#: What gives weights their values, by a part of its name.
_GIVING: Final = ("load", "restore", "set_weights", "assign", "from_pretrained", "copy_", "deepcopy", "load_state_dict")
#: Attributes that freeze parameters and layers.
_SWITCHES: Final = {"requires_grad", "trainable"}


@dataclass(frozen=True, slots=True)
class FrozenRandom:
    """``construction`` makes a model of a library without trained weights, and ``frozen`` excludes it from the training."""

    construction: events.LibraryCall
    frozen: Event


def frozen_random(facts: Facts) -> Iterator[FrozenRandom]:
    """The models of a program that trains which are random and stay so."""
    made = [call for call in facts.events(events.LibraryCall) if _is_random(call)]
    if not made or not facts.training.trains or _gives_weights(facts):
        return
    for call in made:
        frozen = [event for event in facts.program.events if _switches(event, call.result, facts)]
        if frozen and all(_switched_to(event) is False for event in frozen) and not _is_handed_on(call.result, facts):
            yield FrozenRandom(call, frozen[0])


def _is_random(call: events.LibraryCall) -> bool:
    """Whether a model of a library is made, surely without trained weights."""
    if not call.name.startswith(_ZOOS) or not isinstance(call.result, InstanceVal):
        return False
    if call.name.startswith("torchvision."):
        rest = unwrap(call.bound.get("kwargs"))
        named = rest.items if isinstance(rest, DictVal) else rest if isinstance(rest, dict) else {}
        given = [call.bound.get(name, named.get(name)) for name in _WEIGHTS]
        return call.positional == 0 and all(unwrap(value) in (None, False) for value in given)
    return call.positional < 2 and "weights" in call.bound and unwrap(call.bound["weights"]) is None


def _gives_weights(facts: Facts) -> bool:
    calls = (event for event in facts.program.events if isinstance(event, (events.LibraryCall, events.OpaqueCall)))
    return any(word in call.name.rpartition(".")[2] for call in calls for word in _GIVING)


def _switches(event: Event, model: Value, facts: Facts) -> bool:
    """Whether an event freezes parameters or layers of a model, or lets them be trained."""
    if isinstance(event, events.LibraryCall):
        return event.name.endswith(".requires_grad_") and event.receiver is model
    if not isinstance(event, events.AttributeWrite) or event.name not in _SWITCHES:
        return False
    if event.receiver is model:
        return event.name == "trainable"
    asked = (call for call in facts.events(events.LibraryCall) if call.receiver is model and isinstance(call.result, IterVal))
    return any(_is_among(event.receiver, call.result) for call in asked if "parameters" in call.name)


def _is_among(value: Value, values: Value) -> bool:
    """Whether a value is one of those that are gone through, or the second of such a pair."""
    held = (*values.items, values.rest) if isinstance(values, IterVal) else ()
    return any(value is one or (isinstance(one, tuple) and any(value is part for part in one)) for one in held)


def _switched_to(event: Event) -> bool | None:
    if isinstance(event, events.AttributeWrite):
        value = unwrap(event.value)
    else:
        value = unwrap(event.bound.get("requires_grad", True)) if isinstance(event, events.LibraryCall) else None
    return value if isinstance(value, bool) else None


def _is_handed_on(model: Value, facts: Facts) -> bool:
    return opaque.is_handed_on(model, facts.program.events)


@dataclass(frozen=True, slots=True)
class Dropped:
    """``construction`` makes a model that is used and never trained, behind the training (``trained``) of one like it."""

    construction: Event
    trained: Event


def dropped(facts: Facts) -> Iterator[Dropped]:
    """The models that take the place of trained ones."""
    yield from _in_torch(facts)
    yield from _in_keras(facts)


def _in_torch(facts: Facts) -> Iterator[Dropped]:
    steps = facts.events(events.Step)
    made = facts.events(events.Instance)
    if not steps or not made:
        return
    order = {id(item): number for number, item in enumerate(facts.program.trace)}
    last = steps[-1]
    later = [event for event in made if order[id(event)] > order[id(last)] and has_weights(event.instance)]
    known = [module for group in groups(facts) for module in group.modules] if later else []
    for event in later:
        like = [module for module in known if module.cls is event.instance.cls and isinstance(module.cls, ClassVal)]
        after = facts.program.trace[order[id(event)] :]
        if not like or not _is_called(event.instance, after) or _is_given(event.instance, after):
            continue
        if not any(_is_called(module, after) or _is_given(module, after) for module in like):
            yield Dropped(event, last)


def _is_called(module: InstanceVal, after: Sequence[Op | Event]) -> bool:
    inside = {id(part) for part in tree(module)}
    return any(isinstance(item, events.ModuleCall) and id(item.callee) in inside for item in after)


def _is_given(module: InstanceVal, after: Sequence[Op | Event]) -> bool:
    """Whether a model may get weights, is trained, or is handed to code that is not followed."""
    inside = {id(part) for part in tree(module)}
    for item in after:
        if isinstance(item, (events.Backward, events.Step)):
            return True
        if isinstance(item, events.LibraryCall) and any(word in item.name.rpartition(".")[2] for word in _GIVING):
            return True
        if isinstance(item, events.LibraryCall) and id(item.receiver) in inside and "state" in item.name:
            return True
        if isinstance(item, events.OpaqueCall) and any(opaque.holds(value, module) for value in item.values):
            return True
    return False


def _in_keras(facts: Facts) -> Iterator[Dropped]:
    fits = facts.events(events.Fit)
    trained = [fit for fit in fits if fit.method in ("fit", "train_on_batch", "fit_generator")]
    if not trained or _gives_weights(facts):
        return
    order = {id(item): number for number, item in enumerate(facts.program.trace)}
    built = {id(graph.model): graph for graph in facts.events(events.ModelGraph)}
    fitted = {id(fit.model) for fit in trained}
    for fit in fits:
        graph = built.get(id(fit.model))
        if fit.method not in ("evaluate", "predict") or graph is None or id(fit.model) in fitted:
            continue
        like = [one for one in trained if id(one.model) in built and built[id(one.model)].site.node is graph.site.node]
        before = [one for one in like if order[id(one)] < order[id(graph)]]
        used = any(other.model is one.model and order[id(other)] > order[id(graph)] for one in before for other in fits)
        if before and not used and not _is_handed_on(fit.model, facts):
            yield Dropped(graph, before[-1])
