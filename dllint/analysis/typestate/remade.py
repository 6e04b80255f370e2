"""What each pass of a loop makes anew: it has nothing left of the pass before, no gradients and no mode."""

from __future__ import annotations

from collections.abc import Sequence

from dllint.analysis.facts import Facts
from dllint.analysis.training import Passes
from dllint.analysis.typestate import order
from dllint.analysis.typestate.groups import groups
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import Value


def constructions(value: Value, happened: Sequence[Event]) -> list[Event]:
    """The events, among some, that make an object. (Methods such as ``eval()`` give back the one that they are called on.)"""
    return [
        event
        for event in happened
        if (isinstance(event, (events.Construction, events.Instance)) and event.instance is value)
        or (isinstance(event, events.LibraryCall) and event.receiver is None and event.result is value)
    ]


def starts_anew(step: events.Step, loop: Passes, facts: Facts) -> bool:
    """Whether each pass of a loop that steps an optimizer makes it, and not for modules that are known to be there before: of
    what is new, the gradients are clear."""
    happened = facts.training.within(loop, Event)
    if not any(order.happens_with(made, step) for made in constructions(step.target, happened)):
        return False
    of = [group for group in groups(facts) if group.construction.result is step.target]
    inside = set(map(id, happened))
    before = [event for event in facts.training.events if id(event) not in inside]
    return not of or not any(constructions(module, before) for group in of for module in group.modules)
