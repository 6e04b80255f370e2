"""Attributes that are read and that nothing has, and that are near to others: rules hear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.frameworks.absent_attributes import meant_attribute
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import LibSymbol, Value
from dllint.lower import exceptions, guesses, tensors
from dllint.source.added_attributes import may_add

if TYPE_CHECKING:
    from dllint.lower.parts import ReadsAttributes

#: The library whose classes have only the attributes that they list.
_TORCH: Final = "torch."
#: What a condition on the library's release reads.
_RELEASE: Final = "version"
#: What Python's own containers and texts have: what comes from outside and is asked for it is one of these.
_OF_CONTAINERS: Final = frozenset(name for kind in (dict, list, set, str, bytes) for name in dir(kind))
_ERROR: Final = (LibSymbol("builtins.AttributeError"),)


def of_tensor(m: ReadsAttributes, receiver: TensorVal, name: str) -> Value:
    """``x.name`` of a tensor."""
    value = tensors.get_attribute(m, receiver, name)
    is_absent = isinstance(value, Unknown) and value.reason == "unmodelled-attribute" and receiver.framework == "torch"
    if is_absent and not (name in _OF_CONTAINERS and guesses.rests_on_input(receiver)):
        tell(m, receiver, name)
    return value


def tell(m: ReadsAttributes, receiver: Value, name: str, cls: LibSymbol | None = None) -> None:
    """Tell of an attribute that is absent, where the code names it, nothing around takes the error or asks for
    the release, and no file of the project may add it. ``cls``: the library's
    class of an object."""
    if cls is not None and not cls.name.startswith(_TORCH):
        return
    node = m.frame.node
    named = node.func if isinstance(node, cst.Call) else node
    if not isinstance(named, cst.Attribute) or named.attr.value != name or exceptions.is_taken(m.control, _ERROR):
        return
    if any(_RELEASE in condition.text.lower() for condition in m.control.path):
        return
    whose, meant = meant_attribute(receiver, name)
    documents = {id(document): document for document in (m.frame.document, m.document)}.values()
    to_tensors = isinstance(receiver, TensorVal)
    if meant and not any(may_add(document, m.workspace, name, to_tensors=to_tensors) for document in documents):
        m.event(events.Absent, receiver=receiver, name=name, whose=whose, meant=meant)
