"""What each pass of a loop makes anew: it has nothing left of the pass before, no gradients and no mode."""

from __future__ import annotations

from collections.abc import Sequence

from dllint.analysis.facts import Facts
from dllint.analysis.training import Passes
from dllint.analysis.typestate.groups import groups
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import Value


def is_constructed_by(value: Value, happened: Sequence[Event]) -> bool:
    """Whether one of these events makes an object. (Methods such as ``eval()`` give back the one that they are called on.)"""
    made = (event.instance for event in happened if isinstance(event, (events.Construction, events.Instance)))
    given = (event.result for event in happened if isinstance(event, events.LibraryCall) and event.receiver is None)
    return any(one is value for one in (*made, *given))


def starts_anew(optimizer: Value, loop: Passes, facts: Facts) -> bool:
    """Whether each pass of a loop makes an optimizer, and not for modules that are known to be there before: of what is new,
    the gradients are clear."""
    happened = facts.training.within(loop, Event)
    if not is_constructed_by(optimizer, happened):
        return False
    of = [group for group in groups(facts) if group.construction.result is optimizer]
    inside = set(map(id, happened))
    before = [event for event in facts.training.events if id(event) not in inside]
    return not of or not any(is_constructed_by(module, before) for group in of for module in group.modules)
