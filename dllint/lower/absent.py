"""Attributes that are read and that nothing has: rules hear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import LibSymbol, Value
from dllint.lower import exceptions, tensors

if TYPE_CHECKING:
    from dllint.lower.parts import ReadsAttributes

#: The library whose classes have only the attributes that they list.
_TORCH: Final = "torch."
_ERROR: Final = (LibSymbol("builtins.AttributeError"),)


def of_tensor(m: ReadsAttributes, receiver: TensorVal, name: str) -> Value:
    """``x.name`` of a tensor."""
    value = tensors.get_attribute(m, receiver, name)
    if isinstance(value, Unknown) and value.reason == "unmodelled-attribute" and receiver.framework == "torch":
        tell(m, receiver, name)
    return value


def tell(m: ReadsAttributes, receiver: Value, name: str, cls: LibSymbol | None = None) -> None:
    """Tell of an attribute that is absent, where the code names it and nothing around takes the error. ``cls``: the library's
    class of an object."""
    if cls is not None and not cls.name.startswith(_TORCH):
        return
    node = m.frame.node
    named = node.func if isinstance(node, cst.Call) else node
    if isinstance(named, cst.Attribute) and named.attr.value == name and not exceptions.is_taken(m.control, _ERROR):
        m.event(events.Absent, receiver=receiver, name=name)
