"""The order of training events: in a program, and in the passes of a loop, after the last of which the first ones follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dllint.analysis.early_ends import ends_before
from dllint.analysis.every_pass import may_be_left_before
from dllint.analysis.training import Loop, Training
from dllint.ir import events
from dllint.ir.program import ONE_OF_SEVERAL, Event, Op


def sequences(training: Training) -> Iterator[Sequence[Event]]:
    """The events of the program, and those of two passes of each innermost loop that differentiates and steps."""
    yield training.events
    for loop in training.step_passes():
        once = training.within(loop, Event)
        yield (*once, *once)


def happens_with(event: Event | Op, other: Event | Op, beside: str | None = None) -> bool:
    """Whether an event happens whenever another one does, as far as their conditions tell; a condition that only asks whether
    the object ``beside`` is there counts for none."""
    return _arms(event, beside) <= _arms(other)


def is_always(event: Event | Op) -> bool:
    """Whether an event happens whatever conditions hold."""
    return not _arms(event)


def _arms(event: Event | Op, beside: str | None = None) -> set[tuple[int, int]]:
    return {
        (condition.key, condition.arm)
        for condition in event.path
        if not condition.certain and not _asks_for(condition.text, beside)
    }


def _asks_for(text: str, name: str | None) -> bool:
    """Whether a condition, as the reader sees it, asks whether an object is there, or that it is this one of several."""
    return name is not None and text in {name, f"{name} is not None", ONE_OF_SEVERAL}


def exclude_each_other(one: Event | Op, other: Event | Op) -> bool:
    """Whether two events stand in different arms of one branch, or one of them is followed by the end of the call that would
    come to the other."""
    arms = dict(_arms(one))
    if any(arms.get(key, arm) != arm for key, arm in _arms(other)):
        return True
    return ends_before(one.site, other.site) or ends_before(other.site, one.site)


def is_unconditional(event: Event, loop: Loop) -> bool:
    """Whether an event happens in every pass of a loop that contains it directly or in an inner loop, and that is not left out
    as a whole."""
    always = _arms(event) <= {(condition.key, condition.arm) for condition in loop.edge.path}
    return always and not may_be_left_before(event.site, loop)


def enters_loop(sequence: Sequence[Event]) -> bool:
    """Whether a loop begins among events."""
    return any(isinstance(event, events.LoopEdge) and event.phase == "enter" for event in sequence)
