"""``x.__getitem__(index)`` and ``x.__setitem__(index, value)`` of tensors and arrays, called by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.lower import subscripts
from dllint.lower.natives.native import native
from dllint.lower.tensors import TENSOR_CLASS

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

_CLASSES = sorted(set(TENSOR_CLASS.values()))


@native(*(f"{name}.__getitem__" for name in _CLASSES))
def _getitem(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    given = _with_receiver(receiver, arguments)
    if len(given) != 2 or arguments.kwargs or arguments.star is not None:
        return m.unknown("arguments", "__getitem__")
    return subscripts.item(m, *given)


@native("torch.Tensor.__setitem__", "numpy.ndarray.__setitem__")
def _setitem(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    given = _with_receiver(receiver, arguments)
    if len(given) != 3 or arguments.kwargs or arguments.star is not None:
        return m.unknown("arguments", "__setitem__")
    subscripts.put_item(m, *given)
    return None


def _with_receiver(receiver: Value, arguments: Arguments) -> tuple[Value, ...]:
    """The operands of a method, which is called on its receiver or, by the class, with the receiver first."""
    return (receiver, *arguments.args) if isinstance(receiver, TensorVal) else arguments.args
