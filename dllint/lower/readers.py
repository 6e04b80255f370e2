"""The methods by which a class of the program gives attributes that its objects do not hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from dllint.ir.values import FuncVal, InstanceVal, Value
from dllint.lower import mro

if TYPE_CHECKING:
    from dllint.lower.scopes import Frame

#: What Python asks first.
OWN: Final = "__getattribute__"
#: In the order in which Python asks them.
_READERS: Final = (OWN, "__getattr__")


def has(cls: Value) -> bool:
    """Whether a class has one of them."""
    return any(isinstance(mro.lookup(cls, method), FuncVal) for method in _READERS)


def asked(receiver: InstanceVal, name: str, frame: Frame) -> Iterator[FuncVal]:
    """Those that are asked for an attribute which an object does not hold itself. A ``__getattribute__`` that is being executed
    for the object asks the one that it overrides."""
    for method in _READERS:
        found = mro.lookup(receiver.cls, method)
        is_inside = method == OWN and frame.name == OWN and frame.owner is receiver
        if isinstance(found, FuncVal) and name != method and not is_inside:
            yield found
