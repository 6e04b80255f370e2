"""Models that nobody knows, and that are moved behind the optimizer that was made for their parameters."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.training import is_optimizer
from dllint.analysis.typestate import named, order
from dllint.analysis.typestate.frozen import params_of
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.values import InstanceVal, Value, unwrap


def moved_later(facts: Facts) -> Iterator[tuple[events.LibraryCall, events.OpaqueCall]]:
    """The optimizers that are made for all parameters of a model which is not known, with the first move of that model by its
    name, which follows in the same function."""
    calls = facts.events(events.OpaqueCall)
    if not any(call.name == "parameters" for call in calls):
        return
    number = {id(event): at for at, event in enumerate(facts.program.events)}
    for made in facts.events(events.LibraryCall):
        if made.receiver is not None or not is_optimizer(made.result):
            continue
        asked = next((call for call in calls if call.result is params_of(made) and call.name == "parameters"), None)
        model = asked.values[0] if asked is not None else None
        if asked is None or not isinstance(model, Unknown) or model.reason not in ("argument", "parameter"):
            continue
        moves = [call for call in calls if call.values and call.values[0] is model and _moves(call)]
        if not moves or number[id(moves[0])] < number[id(made)] or not order.happens_with(made, moves[0]):
            continue
        whose, moved = named.receiver(asked.site.node), named.receiver(moves[0].site.node)
        if named.is_one_object(asked, whose, moves[0], moved):
            yield made, moves[0]


def _moves(call: events.OpaqueCall) -> bool:
    """Whether a call by its name and argument moves what it is a method of to a device."""
    given = call.values[1:]
    if call.name == "cuda":
        return not given
    return call.name == "to" and len(given) == 1 and (_is_device(given[0]) or _is_called_device(call.site.node))


def _is_device(value: Value) -> bool:
    device = unwrap(value)
    return isinstance(device, str) or (isinstance(device, InstanceVal) and getattr(device.cls, "name", "") == "torch.device")


def _is_called_device(node: cst.CSTNode | None) -> bool:
    value = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    last = value.attr if isinstance(value, cst.Attribute) else value
    return isinstance(last, cst.Name) and "device" in last.value.lower()
