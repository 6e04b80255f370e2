"""Optimizers that are made for modules all of whose parameters have been frozen before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.modules import tree
from dllint.analysis.typestate.frozen import Frozen, freezings, is_in_loops_of, is_single, is_stepped_frozen, may_thaw
from dllint.analysis.typestate.groups import groups
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import InstanceVal, Value, unwrap

#: Methods that give a module further parts or parameters.
_GIVES: Final = frozenset({
    "add_module", "append", "extend", "insert", "register_module", "register_parameter", "update", "apply",
})  # fmt: skip


def frozen_before(facts: Facts) -> Iterator[Frozen]:
    """The optimizers that are stepped and whose modules are all frozen in front of their construction, in programs that thaw
    nothing and give these modules nothing new afterwards."""
    happened = facts.training.events
    known = list(freezings(facts))
    if not known or any(map(may_thaw, happened)):
        return
    numbers = {id(event): number for number, event in enumerate(happened)}
    for group in groups(facts):
        call = group.construction
        freezing = [_freezing(module, call, known, numbers, facts) for module in group.modules]
        if freezing and freezing[0] is not None and None not in freezing:
            yield Frozen(call, freezing[0])


def _freezing(
    module: InstanceVal, call: events.LibraryCall, known: list[tuple[Value, Event]], numbers: Mapping[int, int], facts: Facts
) -> Event | None:
    """What freezes a module in front of an optimizer's construction, for good."""
    happened = facts.training.events
    if module.open is not None or module.handed:
        return None
    parts = {id(part) for part in tree(module)}
    for frozen, freezing in known:
        if frozen is not module or numbers[id(freezing)] > numbers[id(call)] or not is_in_loops_of(call, freezing, facts):
            continue
        if any(_gives(event, parts) for event in happened[numbers[id(freezing)] + 1 :]):
            continue
        if is_single(module, call, freezing, facts) and is_stepped_frozen(call.result, module, freezing, happened):
            return freezing
    return None


def _gives(event: Event, parts: set[int]) -> bool:
    """Whether an event may give one of some modules a part or a parameter."""
    if isinstance(event, (events.Construction, events.Instance)):
        return id(event.instance) in parts
    if isinstance(event, events.AttributeWrite):
        return id(event.receiver) in parts and not isinstance(unwrap(event.value), (bool, int, float, str, type(None)))
    if not isinstance(event, events.LibraryCall) or id(event.receiver) not in parts:
        return False
    return event.name.rpartition(".")[2] in _GIVES
