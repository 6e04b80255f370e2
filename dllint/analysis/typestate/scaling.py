"""Gradients that a scaler makes larger, and clipping: in which state gradients are when they are clipped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import libcst as cst

from dllint.analysis.training import Passes, Training, certainly_different
from dllint.analysis.typestate import by_hand, opaque, order
from dllint.analysis.typestate.gradients import steps_of
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import Value

#: What has happened last to gradients.
State = Literal["cleared", "computed", "applied"]
_STATES: Final[dict[type[Event], State]] = {
    events.ZeroGrad: "cleared", events.Backward: "computed", events.Step: "applied",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """A backward pass in a loop and the step behind it: what happens in a pass of the loop, and the scaler of the loss, if one
    scales it."""

    loop: Passes
    happened: Sequence[Event]
    backward: events.Backward
    step: events.Step
    scaler: Value


def single_steps(training: Training) -> Iterator[TrainingStep]:
    """The innermost loops with one backward pass and one optimizer, whose gradients are PyTorch's; of passes in arms that
    exclude each other, each on its own."""
    for loop in training.step_passes():
        for happened in _alternatives(training.within(loop, Event)):
            backward = [event for event in happened if isinstance(event, events.Backward)]
            steps = steps_of(happened)
            if _places(backward) != 1 or _places(steps) != 1 or steps[0].closure is not None or backward[0].via is not None:
                continue
            if by_hand.may_add_up(backward[0].target) and not by_hand.are_handed_back(backward[0], steps[0]):
                yield TrainingStep(loop, happened, backward[0], steps[0], _scaler_of(backward[0], happened))


def each_step(training: Training) -> Iterator[TrainingStep]:
    """The same, and where loops have several backward passes or optimizers, as those of two networks that are trained in turn,
    each step with the last backward pass before it."""
    single = list(single_steps(training))
    seen = {id(one.step.site.node) for one in single}
    yield from single
    for loop in training.step_passes():
        happened = training.within(loop, Event)
        for step in steps_of(happened):
            backward = _last_before(step, happened)
            if id(step.site.node) in seen or step.closure is not None or backward is None or backward.via is not None:
                continue
            seen.add(id(step.site.node))
            if by_hand.may_add_up(backward.target) and not by_hand.are_handed_back(backward, step):
                yield TrainingStep(loop, happened, backward, step, _scaler_of(backward, happened))


def _last_before(step: events.Step, happened: Sequence[Event]) -> events.Backward | None:
    """The last backward pass before a step, in one pass of a loop, that does not stand in another arm."""
    before = (event for event in reversed(happened[: happened.index(step)]) if isinstance(event, events.Backward))
    return next((event for event in before if not order.exclude_each_other(event, step)), None)


def _alternatives(happened: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """What happens in the passes of a loop: all of it, or, where its backward passes stand in arms that exclude each other,
    what happens with each of them. The conditions of each pass of the loop are other ones, so places are compared."""
    places: dict[int, list[Event]] = {}
    for event in happened:
        if isinstance(event, events.Backward):
            places.setdefault(id(event.site.node), []).append(event)
    if len(places) < 2:
        yield happened
        return
    for place, own in places.items():
        excluded = {id(event.site.node) for event in happened for one in own if order.exclude_each_other(event, one)}
        if places.keys() - {place} <= excluded:
            yield [event for event in happened if id(event.site.node) not in excluded]


def _places(happened: Sequence[Event]) -> int:
    return len({id(event.site.node) for event in happened})


def _scaler_of(backward: events.Backward, happened: Sequence[Event]) -> Value:
    """The object that has scaled a loss, by its kind or by the name of its method; ``None`` if there is none."""
    loss = backward.target
    for event in happened:
        if isinstance(event, events.ScaleLoss) and event.result is loss:
            return event.via
        if isinstance(event, events.OpaqueCall) and event.name == "scale" and _is_result_of_scale(loss):
            return event.values[0]
    return None


def _is_result_of_scale(loss: Value) -> bool:
    return isinstance(loss, Unknown) and loss.reason == "unknown-callee" and loss.detail.endswith("scale")


@dataclass(frozen=True, slots=True)
class Clipped:
    """``clip`` acts on gradients in a ``state`` in which they are not waiting for ``step``, or that are still scaled."""

    clip: events.ClipGrad
    state: State
    of: TrainingStep


def misplaced_clips(training: Training) -> Iterator[Clipped]:
    """The places at which gradients are clipped though none have been computed since the last step, or while they are
    scaled."""
    for step in single_steps(training):
        clips = [event for event in step.happened if isinstance(event, events.ClipGrad)]
        if _places(clips) == 1 and (state := _state_at(clips[0], step)) is not None:
            yield Clipped(clips[0], state, step)


def _state_at(clip: events.ClipGrad, step: TrainingStep) -> State | None:
    """The state of gradients that are clipped there in vain; ``None`` if they wait for the step, or that is not certain."""
    state: State | None = None
    last: Event | None = None
    for event in (*step.happened, *step.happened):
        if event is clip and last is not None:
            found = state
            break
        if type(event) in _STATES and (not isinstance(event, events.Step) or event is step.step):
            state, last = _STATES[type(event)], event
    else:
        return None
    if last is None or not order.happens_with(last, clip) or by_hand.is_in_code_of((clip, step.step)):
        return None
    if found != "computed":
        return found
    is_scaled = step.scaler is not None and step.step.via is step.scaler and not _are_unscaled(step.happened)
    return found if is_scaled and not opaque.is_handed_on(step.scaler, step.happened) else None


def plain_steps(training: Training) -> Iterator[TrainingStep]:
    """Optimizers that apply scaled gradients themselves, with nothing that makes them small again."""
    for step in each_step(training):
        if step.scaler is None or step.step.via is not None or not order.happens_with(step.backward, step.step):
            continue
        if _are_unscaled(training.events) or by_hand.is_in_code_of((step.backward, step.step)):
            continue
        if not opaque.is_handed_on(step.scaler, step.happened):
            yield step


def without_update(training: Training) -> Iterator[TrainingStep]:
    """Scalers that step optimizers and are never told to adapt their scale, though nothing else can tell them: the last step
    that each makes in a pass."""
    steps = list(each_step(training)) if training.is_whole else []
    last = {(id(step.scaler), id(step.happened)): step for step in steps}
    for step in last.values():
        if step.scaler is None or step.step.via is not step.scaler:
            continue
        if any(_may_update(event, step) for event in training.events) or _speaks_of_update(step):
            continue
        if not opaque.is_handed_on(step.scaler, training.events):
            yield step


def _are_unscaled(happened: Sequence[Event]) -> bool:
    return any(isinstance(event, events.UnscaleGrad) for event in happened)


def _may_update(event: Event, step: TrainingStep) -> bool:
    """Whether an event may adapt the scale of a scaler: of what is known to be something else, it does not (the averages of
    weights and the progress bars of a loop have an ``update()``, too)."""
    if isinstance(event, events.Update):
        return not certainly_different(event.target, step.scaler)
    if not isinstance(event, events.OpaqueCall) or event.name != "update":
        return False
    return not event.values or opaque.holds(event.values[0], step.scaler)


def _speaks_of_update(step: TrainingStep) -> bool:
    """Whether code that takes part says that the scaler is updated, under the name by which it steps."""
    node = step.step.site.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return True
    name = cst.Module([]).code_for_node(node.func.value).rpartition(".")[2]
    says = re.compile(rf"{re.escape(name)}\s*\.\s*update\b")
    frames = (*step.step.site.stack(), *step.backward.site.stack())
    return any(says.search(frame.document.text) for frame in frames if frame.document is not None)
