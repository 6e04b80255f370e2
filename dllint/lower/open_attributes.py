"""Attributes of objects that are written without their name or their object being known."""

from __future__ import annotations

from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.events import Instance
from dllint.ir.values import DictVal, InstanceVal, ListVal, SetVal, Value, unwrap

if TYPE_CHECKING:
    from dllint.ir.program import Program
    from dllint.lower.journal import Journal

#: Why a variable that held an object is not known: a loop or branches gave it one or another.
ANY_OBJECT = frozenset({"loop", "joined-branches"})
#: In so many events and operations, the objects are looked for that may be the one that is written to.
_LONGEST_TRACE = 20_000


def put_any(journal: Journal, program: Program, name: str) -> None:
    """An object that is not known gets an attribute: it may be any of those that have it, whose number is not known then."""
    for event in islice(program.trace, _LONGEST_TRACE):
        if isinstance(event, Instance):
            attributes = event.instance.attrs
            if isinstance(unwrap(attributes.get(name)), (int, float)):
                journal.set_item(attributes, name, Unknown("loop", name))


def open_names(journal: Journal, instance: InstanceVal) -> None:
    """An attribute with an unknown name was set, so any attribute may have changed. Numbers, strings and containers of them may
    be settings and are forgotten; layers and tensors are kept."""
    journal.set_attribute(instance, "open", Unknown("setattr", "name not known"))
    for name, value in list(instance.attrs.items()):
        if _is_setting(unwrap(value)):
            journal.set_item(instance.attrs, name, Unknown("setattr", name))


def _is_setting(value: Value) -> bool:
    """Whether a value is a number or a text, or holds nothing else."""
    parts = value.items if isinstance(value, (ListVal, SetVal)) else value if isinstance(value, tuple) else None
    parts = list(value.items.values()) if isinstance(value, DictVal) else parts
    plain = (bool, int, float, str, DimExpr, NoneType)
    return isinstance(value, plain) if parts is None else all(isinstance(unwrap(part), plain) for part in parts)
