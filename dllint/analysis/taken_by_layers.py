"""Values of which nothing is known but that a layer takes them: they are tensors."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.typestate import order
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import InstanceVal, Value

_FUNCTIONS: Final = "torch.nn.functional."
#: Layers that take anything and give it on.
_TAKING_ANYTHING: Final = frozenset({"identity"})


def is_taken(value: Value, event: Event, facts: Facts) -> bool:
    """Whether an unknown value is given, behind an event and whenever that happens, to a layer of torch or to a function of
    ``torch.nn.functional``: these take tensors, and packed sequences, whose methods change neither."""
    if not isinstance(value, Unknown):
        return False
    behind = False
    for item in facts.program.events:
        behind = behind or item is event
        if behind and _takes(item, value) and order.happens_with(item, event):
            return True
    return False


def _takes(item: Event, value: Value) -> bool:
    if isinstance(item, events.ModuleCall):
        callee = item.callee
        layer = callee.layer if isinstance(callee, InstanceVal) else None
        is_layer = layer is not None and layer.row.framework == "torch" and layer.row.op not in _TAKING_ANYTHING
        return is_layer and any(given is value for given in item.args)
    if isinstance(item, events.LibraryCall):
        return item.name.startswith(_FUNCTIONS) and any(given is value for given in item.given)
    return False
