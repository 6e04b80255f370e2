"""Gradients that no step applies: they are cleared before it, never computed, or the step is missing or behind the loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import tree
from dllint.analysis.training import Loop, Training, certainly_different, is_optimizer, is_scheduler, may_be_optimizer
from dllint.analysis.typestate import by_hand, opaque, order, other_steps
from dllint.analysis.typestate.frozen import model_of, params_of
from dllint.analysis.typestate.groups import trained_modules
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import InstanceVal, Value
from dllint.source.walk import dotted


def steps_of(happened: Sequence[Event]) -> list[events.Step]:
    """The steps of what is, or can be, an optimizer. Of what is not known, one step is an optimizer's if gradients are cleared
    on the same object, or a scaler makes it."""
    cleared = {id(event.target) for event in happened if isinstance(event, events.ZeroGrad)}
    return [
        event
        for event in happened
        if isinstance(event, events.Step)
        and not is_scheduler(event.target)
        and may_be_optimizer(event.target)
        and (is_optimizer(event.target) or id(event.target) in cleared or event.via is not None)
    ]


# --- cleared before they are applied --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lost:
    """Gradients that ``backward`` computes are cleared by ``cleared``, and ``step`` has none."""

    backward: events.Backward
    cleared: events.ZeroGrad
    step: events.Step


def lost(facts: Facts) -> Iterator[Lost]:
    """The steps before which gradients are cleared that have just been computed, each once."""
    seen: set[tuple[int, int]] = set()
    owned = Owned(facts)
    for sequence in order.sequences(facts.training):
        for number, event in enumerate(sequence):
            if isinstance(event, events.Step) and (found := _lost_by(event, sequence[:number], owned)) is not None:
                key = id(found.cleared.site.node), id(event.site.node)
                if key not in seen:
                    seen.add(key)
                    yield found


class Owned:
    """Whose parameters the optimizers of a program have."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @cached_property
    def _modules(self) -> Mapping[int, frozenset[int]]:
        return trained_modules(self._facts)

    def clears(self, event: events.ZeroGrad, optimizer: Value) -> bool:
        """Whether all gradients that an optimizer applies are cleared: its own, or those of a module that has all of its
        parameters."""
        if event.target is optimizer:
            return True
        if isinstance(event.target, InstanceVal) and not is_optimizer(event.target):
            parts = self._modules.get(id(optimizer), frozenset())
            return bool(parts) and parts <= {id(part) for part in tree(event.target)}
        return isinstance(event.target, Unknown) and self._model_of(optimizer) is event.target

    def _model_of(self, optimizer: Value) -> Value:
        """A model of which nothing else is known, for all parameters of which the program makes an optimizer."""
        calls = [call for call in self._facts.events(events.LibraryCall) if call.result is optimizer and call.receiver is None]
        return model_of(params_of(calls[0]), self._facts.training.events) if len(calls) == 1 else None


def _lost_by(step: events.Step, before: Sequence[Event], owned: Owned) -> Lost | None:
    if step.closure is not None or is_scheduler(step.target) or not may_be_optimizer(step.target):
        return None
    cleared: events.ZeroGrad | None = None
    for number in range(len(before) - 1, -1, -1):
        event = before[number]
        if isinstance(event, events.Step) and event.target is step.target:
            return None
        if isinstance(event, events.ZeroGrad) and cleared is None and owned.clears(event, step.target):
            if not order.happens_with(event, step):
                return None
            cleared = event
        elif isinstance(event, events.Backward):
            return _confirmed(Lost(event, cleared, step), before[number:]) if cleared is not None else None
        elif cleared is None and opaque.may_train(event, step.target):
            return None
    return None


def _confirmed(found: Lost, between: Sequence[Event]) -> Lost | None:
    """The same, unless the gradients may be other ones, or are kept by hand."""
    backward, step = found.backward, found.step
    if backward.via is step.target or not order.happens_with(backward, step) or _may_compute(found, between):
        return None
    if not by_hand.may_add_up(backward.target) or by_hand.are_handed_back(backward, step):
        return None
    return None if by_hand.is_in_code_of((backward, step), clearing=False) else found


def _may_compute(found: Lost, between: Sequence[Event]) -> bool:
    """Whether a loop that begins among events may compute other gradients, or may have no pass: all but those that go through
    optimizers to clear their gradients, or to step them."""
    entered = [event for event in between if isinstance(event, events.LoopEdge) and event.phase == "enter"]
    of_optimizers = [edge for edge in entered if any(_goes_through(edge, event) for event in (found.cleared, found.step))]
    if len(of_optimizers) < len(entered):
        return True
    return bool(entered) and not (isinstance(found.step.target, InstanceVal) and found.cleared.target is found.step.target)


def _goes_through(edge: events.LoopEdge, event: Event) -> bool:
    """Whether a loop does nothing but to call a method of each thing that it goes through, in an event."""
    node = edge.node
    if not isinstance(node, cst.For) or len(node.body.body) != 1 or node.body.body[0] is not event.site.statement:
        return False
    return other_steps.receiver_name(event.site.node) == dotted(node.target)


# --- a part of the step that is missing -------------------------------------------------------------------------------------


def without_backward(training: Training) -> Iterator[tuple[events.ZeroGrad, events.Step]]:
    """Steps in loops that clear gradients, in programs that compute none."""
    if not training.is_whole or _is_mentioned("backward", training):
        return
    if any(isinstance(event, events.Backward) for event in training.events):
        return
    for loop in training.loops:
        happened = training.within(loop, Event)
        for step in steps_of(happened):
            cleared = [event for event in happened if isinstance(event, events.ZeroGrad) and event.target is step.target]
            if not cleared or step.closure is not None or step.via is not None:
                continue
            if not order.is_unconditional(step, loop) and not _are_together(step, cleared[0]):
                continue
            if not any(opaque.may_train(event, step.target) for event in happened) and not by_hand.is_in_code_of(
                (step,), clearing=False
            ):
                yield cleared[0], step


def _are_together(step: events.Step, cleared: events.ZeroGrad) -> bool:
    """Whether gradients are cleared exactly where the step is made, be it only once a buffer is full."""
    return order.happens_with(step, cleared) and order.happens_with(cleared, step)


def never_stepped(training: Training) -> Iterator[tuple[events.LibraryCall, events.Backward]]:
    """Optimizers that the program makes and whose gradients it clears and computes in a loop, and that it never steps."""
    if not training.is_whole or _is_mentioned("step", training):
        return
    made = [event for event in training.events if isinstance(event, events.LibraryCall) and is_optimizer(event.result)]
    stepped = [event for event in training.events if isinstance(event, events.Step)]
    for optimizer in made:
        uses = any(opaque.holds(value, optimizer.result) for event in stepped for value in (event.target, event.via))
        if uses or any(not is_scheduler(event.target) and not is_optimizer(event.target) for event in stepped):
            continue
        if opaque.is_handed_on(optimizer.result, training.events):
            continue
        backward = _cleared_with(optimizer.result, training)
        if (
            backward is None
            or by_hand.is_in_code_of((backward, optimizer), clearing=False)
            or other_steps.is_stepped_where_cleared(optimizer.result, training)
            or other_steps.has_unfollowed_helper(backward, training)
        ):
            continue
        yield optimizer, backward


def _is_mentioned(method: str, training: Training) -> bool:
    """Whether a method stands without its call somewhere, which is the fault then."""
    return any(isinstance(event, events.Mention) and event.name == method for event in training.events)


def _cleared_with(optimizer: Value, training: Training) -> events.Backward | None:
    """The backward pass of a loop in which an optimizer's gradients are cleared: the next one, or else the first."""
    for loop in training.loops:
        happened = training.within(loop, events.ZeroGrad, events.Backward)
        cleared = [number for number, event in enumerate(happened) if _clears(event, optimizer)]
        round_again = [*happened[cleared[0] :], *happened[: cleared[0]]] if cleared else []
        found = next((event for event in round_again if isinstance(event, events.Backward)), None)
        if found is not None:
            return found if found.via is None else None
    return None


def _clears(event: Event, optimizer: Value) -> bool:
    return isinstance(event, events.ZeroGrad) and event.target is optimizer


@dataclass(frozen=True, slots=True)
class Outside:
    """``step`` stands behind a loop in each pass of which ``cleared`` clears what ``backward`` of the pass before computed."""

    backward: events.Backward
    cleared: events.ZeroGrad
    step: events.Step


def stepped_outside(training: Training) -> Iterator[Outside]:
    """Steps that apply the gradients of the last pass of a loop alone, because they stand behind it."""
    for loop in training.loops:
        happened = training.within(loop, Event)
        step = _next_step(training, loop)
        others = [event for event in happened if isinstance(event, events.Step)]
        if step is None or not all(_is_another(other.target, step.target) for other in others):
            continue
        cleared = [event for event in happened if isinstance(event, events.ZeroGrad) and event.target is step.target]
        behind = happened[happened.index(cleared[0]) :] if cleared and others else happened
        backward = [event for event in behind if isinstance(event, events.Backward)]
        places = len({id(event.site.node) for event in backward})
        if places == 0 or (places > 1 and not others) or any(event.via is not None for event in backward):
            continue
        if not cleared or not all(order.is_unconditional(event, loop) for event in (cleared[0], backward[0])):
            continue
        if any(opaque.may_train(event, step.target) for event in happened) or by_hand.is_in_code_of(
            (backward[0], step), clearing=False
        ):
            continue
        yield Outside(backward[0], cleared[0], step)


def _is_another(one: Value, other: Value) -> bool:
    """Whether two objects that are stepped are not the same: both are known, or a function is given both, or one is a
    scheduler."""
    if is_scheduler(one) or certainly_different(one, other):
        return True
    given = (isinstance(value, Unknown) and value.reason in ("argument", "parameter") for value in (one, other))
    return one is not other and all(given)


def _next_step(training: Training, loop: Loop) -> events.Step | None:
    """The step that follows a loop, with no other part of training and no other loop between."""
    for event in training.after(loop):
        if isinstance(event, events.Step) and not is_scheduler(event.target):
            return event if may_be_optimizer(event.target) and event.closure is None and event.via is None else None
        if isinstance(event, (events.Backward, events.ZeroGrad, events.LoopEdge)):
            return None
    return None
