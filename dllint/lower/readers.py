"""The methods by which a class of the program gives attributes that its objects do not hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from dllint.ir.values import FuncVal, InstanceVal, LibSymbol, Value
from dllint.lower import mro

if TYPE_CHECKING:
    from dllint.lower.scopes import Frame

#: What Python asks first.
OWN: Final = "__getattribute__"
#: Methods that classes of dicts take for that: ``__getattr__ = dict.get``.
_OF_DICTS: Final = ("builtins.dict.get", "builtins.dict.__getitem__")
#: In the order in which Python asks them.
_READERS: Final = (OWN, "__getattr__")


def has(cls: Value) -> bool:
    """Whether a class has one of them."""
    return any(_is_reader(mro.lookup(cls, method)) for method in _READERS)


def _is_reader(found: Value) -> bool:
    """Whether what is found in a class reads attributes: a method of the program, or one of dicts."""
    return isinstance(found, FuncVal) or (isinstance(found, LibSymbol) and found.name in _OF_DICTS)


def asked(receiver: InstanceVal, name: str, frame: Frame) -> Iterator[Value]:
    """Those that are asked for an attribute which an object does not hold itself. A ``__getattribute__`` that is being executed
    for the object asks the one that it overrides."""
    for method in _READERS:
        found = mro.lookup(receiver.cls, method)
        is_inside = method == OWN and frame.name == OWN and frame.owner is receiver
        if _is_reader(found) and name != method and not is_inside:
            yield found
