"""Attributes that objects of PyTorch do not have, and that are one slip away from one that they have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.history.record import instance_names, public_names
from dllint.frameworks.nearest_names import nearest
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value, unwrap

_TENSOR: Final = "torch.Tensor"
_MODULE: Final = "torch.nn.Module"
#: What the names of classes begin with → the class whose attributes they have, what an object is called.
_CLASSES: Final = (
    ("torch.nn.", _MODULE, "the module"),
    ("torch.optim.lr_scheduler.", "torch.optim.lr_scheduler.LRScheduler", "the scheduler"),
    ("torch.optim.", "torch.optim.Optimizer", "the optimizer"),
)
#: Bases that give objects no attributes.
_BARE: Final = frozenset({"builtins.object", "object", "abc.ABC", "typing.Generic"})
#: So short a name is near too many.
_SHORT: Final = 4
#: Names whose lengths differ by so much are not near each other.
_NEAR: Final = 3


def meant_attribute(receiver: Value, name: str) -> tuple[str, str]:
    """What an object is called, and the attribute that was meant; empty if the object may have what is written, or nothing is
    near."""
    receiver = unwrap(receiver)
    if isinstance(receiver, TensorVal):
        is_made = receiver.producer is not None and receiver.framework == "torch"
        return ("the tensor", _near(public_names()[_TENSOR], name)) if is_made else ("", "")
    if not isinstance(receiver, InstanceVal) or not _is_closed(receiver):
        return "", ""
    bases = _bases(receiver)
    found = next(((table, kind) for base in bases for start, table, kind in _CLASSES if base.startswith(start)), None)
    if found is None or any(registry.known(f"{base}.{name}") for base in bases):
        return "", ""
    table, kind = found
    if not all(base in instance_names() or base in _BARE for base in bases):
        return "", ""
    own = {param.name for base in bases for param in registry.parameters(base) or ()}
    own.update(name for base in bases for name in instance_names().get(base, ()))
    return kind, _near({*public_names()[table], *own, *receiver.attrs, *_of_classes(receiver)}, name)


def _is_closed(receiver: InstanceVal) -> bool:
    """Whether nothing but the constructor of its class can have given an object attributes that are not known."""
    if receiver.handed or receiver.open is None:
        return not receiver.handed
    cls, why = receiver.cls, receiver.open
    if not isinstance(cls, LibSymbol) or not isinstance(why, Unknown):
        return False
    return (why.reason, why.detail) == ("unmodelled-call", cls.name)


def _bases(receiver: InstanceVal) -> list[str]:
    """The library's classes of an object; none if one of its classes is not known."""
    if isinstance(receiver.cls, LibSymbol):
        return [receiver.cls.name]
    mro = receiver.cls.mro if isinstance(receiver.cls, ClassVal) else ()
    if not all(isinstance(base, (ClassVal, LibSymbol)) for base in mro):
        return []
    return [base.name for base in mro if isinstance(base, LibSymbol)]


def _of_classes(receiver: InstanceVal) -> Iterable[str]:
    mro = receiver.cls.mro if isinstance(receiver.cls, ClassVal) else ()
    return (name for base in mro if isinstance(base, ClassVal) for name in base.attrs)


def _near(names: Iterable[str], written: str) -> str:
    names = frozenset(names)
    return "" if written in names or len(written) < _SHORT or written.startswith("_") else _nearest(names, written)


@lru_cache(maxsize=1_000)
def _nearest(names: frozenset[str], written: str) -> str:
    """The same attribute is read again and again."""
    return nearest(written, [name for name in names if abs(len(name) - len(written)) < _NEAR and not name.startswith("_")])
