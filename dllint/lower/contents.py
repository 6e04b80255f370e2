"""What objects of classes derived from ``dict`` and ``list`` hold: a dict or list of their own, beside their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.values import ClassVal, DictVal, InstanceVal, ListVal, Value, unwrap
from dllint.lower import mro

if TYPE_CHECKING:
    from dllint.lower.parts import Keeps

#: The classes that programs derive theirs from, by what they hold.
_HELD: Final[dict[str, type[DictVal] | type[ListVal]]] = {"builtins.dict": DictVal, "builtins.list": ListVal}
LIBRARY_BASES.update({
    "collections.OrderedDict": ("builtins.dict",), "collections.UserDict": ("builtins.dict",),
    "typing.Dict": ("builtins.dict",), "typing.OrderedDict": ("builtins.dict",),
    "collections.UserList": ("builtins.list",), "typing.List": ("builtins.list",),
})  # fmt: skip
_KEY: Final = "content"


def _kind(cls: Value) -> type[DictVal] | type[ListVal] | None:
    return next((_HELD[base] for base in mro.library_bases(cls) if base in _HELD), None)


def of(m: Keeps, receiver: InstanceVal) -> DictVal | ListVal | None:
    """The dict or list that an object of a class of the program is; ``None`` if it is neither."""
    held = receiver.state.get(_KEY)
    if isinstance(held, (DictVal, ListVal)):
        return held
    kind = _kind(receiver.cls) if receiver.layer is None and isinstance(receiver.cls, ClassVal) else None
    if kind is None:
        return None
    made = kind() if receiver.open is None else kind(rest=receiver.open)
    put(m, receiver, made)
    return made


def put(m: Keeps, receiver: InstanceVal, content: DictVal | ListVal) -> None:
    """An object gets what it holds."""
    m.journal.set_item(receiver.state, _KEY, content)


def plain(m: Keeps, value: Value) -> Value:
    """The dict or list that an object is; any other value itself."""
    value = unwrap(value)
    held = of(m, value) if isinstance(value, InstanceVal) else None
    return value if held is None else held


def share_attributes(m: Keeps, receiver: InstanceVal, value: Value) -> None:
    """``self.__dict__ = self``: what the object holds are its attributes from now on, and the other way round."""
    held = plain(m, value)
    if isinstance(held, DictVal) and held.of is not receiver:
        for name, attribute in held.items.items():
            m.journal.set_item(receiver.attrs, name, attribute)
        if unwrap(value) is receiver:
            put(m, receiver, DictVal(receiver.attrs, held.rest, of=receiver))
