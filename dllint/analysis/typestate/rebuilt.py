"""Models that are made again after an optimizer was made for the first one, which nothing uses any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module, tree
from dllint.analysis.training import is_optimizer
from dllint.analysis.typestate import frozen, opaque, order
from dllint.ir import events
from dllint.ir.program import Event, Op
from dllint.ir.values import InstanceVal, Value

#: Methods of a model that lead to none of its parameters being used by something else than its optimizer.
_KEEPING: Final = frozenset({"train", "eval", "to", "cuda", "cpu", "zero_grad", "parameters", "apply"})
_Call = events.LibraryCall | events.OpaqueCall


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """``construction`` makes an optimizer for a model that nothing uses; ``again`` makes the model that is trained."""

    construction: events.LibraryCall
    again: Event


def rebuilt(facts: Facts) -> Iterator[Rebuilt]:
    """The optimizers that are stepped, of models that are never applied, while another model that the same code has made
    behind them is trained; in programs that were followed to their end."""
    training = facts.training
    if not training.is_whole or not facts.events(events.Backward):
        return
    happened = training.events
    numbers = {id(event): number for number, event in enumerate(happened)}
    stepped = {id(event.target) for event in facts.events(events.Step)}
    for call in facts.events(events.LibraryCall):
        if call.receiver is not None or not is_optimizer(call.result) or id(call.result) not in stepped:
            continue
        model = frozen.model_of(frozen.params_of(call), happened)
        if model is None or opaque.is_handed_on(call.result, happened) or not _is_unused(model, call, happened, facts):
            continue
        made = _making(model, happened[: numbers[id(call)]])
        again = _made_again(made, happened[numbers[id(call)] :]) if made is not None else None
        if again is not None and order.happens_with(again, call) and training.innermost(again) is training.innermost(call):
            yield Rebuilt(call, again)


def _is_unused(model: Value, optimizer: events.LibraryCall, happened: Sequence[Event], facts: Facts) -> bool:
    """Whether nothing but an optimizer has a model: it is never applied, given to anything, or asked for more than another mode
    or device, and no other object has it, or a part of it."""
    own = {id(part) for part in tree(model)} | {id(model)}
    if any(isinstance(item, Op) and item.layer is not None and id(item.layer) in own for item in facts.program.trace):
        return False
    return not any(_uses(event, model, own, optimizer) for event in happened)


def _uses(event: Event, model: Value, own: set[int], optimizer: events.LibraryCall) -> bool:
    if isinstance(event, events.ModuleCall):
        return id(event.callee) in own or any(opaque.holds(value, model) for value in (*event.args, *event.keywords.values()))
    if isinstance(event, (events.Instance, events.Construction)):
        return id(event.instance) not in own and any(id(part) in own for part in tree(event.instance))
    if isinstance(event, events.LibraryCall):
        if event.receiver is model:
            return event.name.rpartition(".")[2] not in _KEEPING
        return event is not optimizer and any(opaque.holds(value, model) for value in event.given)
    if isinstance(event, events.OpaqueCall):
        if event.callee is model or any(opaque.holds(value, model) for value in event.values[1:]):
            return True
        return bool(event.values) and event.values[0] is model and event.name not in _KEEPING
    return False


@dataclass(frozen=True, slots=True)
class _Making:
    """What makes a model: a class of the analysed code, or a name of what is not followed."""

    cls: Value
    name: str


def _making(model: Value, happened: Sequence[Event]) -> _Making | None:
    """What has made a model; of what is not followed, only classes, by their name, as functions may give one object twice."""
    if isinstance(model, InstanceVal):  # the calls of other objects of libraries are no events
        return _Making(model.cls, "") if is_module(model) else None
    source: Value = model
    for event in reversed(happened):
        if isinstance(event, _Call) and event.result is source:
            if _passes_on(event) and _is_chained(event):
                source = _receiver(event)
            else:
                return _Making(None, event.name) if _is_class(event.name) else None
    return None


def _receiver(call: _Call) -> Value:
    if isinstance(call, events.LibraryCall):
        return call.receiver
    return call.values[0] if call.values else None


def _passes_on(call: _Call) -> bool:
    """Whether a method gives the model that it is called on."""
    return call.name.rpartition(".")[2] in ("to", "cuda", "train") and _receiver(call) is not None


def _is_class(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last[:1].isupper() and not last.isupper()


def _is_chained(call: _Call) -> bool:
    """Whether a method is called on the result of another call, which has no name: ``Net().to(device)``."""
    function = getattr(call.site.node, "func", None)
    return isinstance(function, cst.Attribute) and isinstance(function.value, cst.Call)


def _made_again(made: _Making, behind: Sequence[Event]) -> Event | None:
    """The event that makes such a model again, which is applied behind that."""
    for number, event in enumerate(behind):
        found: set[int] = set()
        if made.cls is not None:
            new = event.instance if isinstance(event, (events.Instance, events.Construction)) else None
            found = {id(part) for part in tree(new)} if new is not None and new.cls is made.cls else set()
        elif isinstance(event, _Call) and event.name == made.name:
            found = _passed_on(event.result, behind[number:])
        if any(_is_applied(each, found) for each in behind[number:]):
            return event
    return None


def _passed_on(model: Value, behind: Sequence[Event]) -> set[int]:
    """The objects, by ``id``, that a model which is not followed is after it was moved."""
    found = {id(model)}
    for event in behind:
        if isinstance(event, _Call) and _passes_on(event) and id(_receiver(event)) in found:
            found.add(id(event.result))
    return found


def _is_applied(event: Event, models: set[int]) -> bool:
    return isinstance(event, (events.ModuleCall, events.OpaqueCall)) and id(event.callee) in models
