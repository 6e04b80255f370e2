"""What the calls of a module take and give, in words: several calls in one symbolic shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dllint.analysis.architecture.tree import Call, Module
from dllint.domains.dim import Dim
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, join_types, numel, show_type
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, ListVal, Value, unwrap

_MOST: Final = 3
_BITS: Final = 8


def type_of(value: Value) -> str:
    """``f32[B, 10]``; of what holds several, ``(f32[B, 10], f32[B, 4])``; empty for what is no tensor and holds none."""
    value = unwrap(value)
    if isinstance(value, TensorVal):
        return show_type(value.type)
    parts = [text for part in _parts(value) if (text := type_of(part))]
    if not parts:
        return ""
    shown = [*parts[:_MOST], "…"] if len(parts) > _MOST else parts
    return f"({', '.join(shown)})"


def _parts(value: Value) -> list[Value]:
    if isinstance(value, ListVal):
        return list(value.items)
    if isinstance(value, DictVal):
        return list(value.items.values())
    return list(value) if isinstance(value, tuple) else []


def inputs_of(call: Call) -> str:
    """What a call takes: the tensors among its arguments."""
    texts = types_given(call)
    return ", ".join([*texts[:_MOST], "…"] if len(texts) > _MOST else texts)


def types_given(call: Call) -> list[str]:
    """The types of the tensors among the arguments of a call."""
    return [text for value in call.inputs if (text := type_of(value))]


def outputs_of(calls: Sequence[Call]) -> str:
    """What calls give; of several that give different tensors, what these have in common."""
    texts = list(dict.fromkeys(type_of(call.output) for call in calls))
    if len(texts) == 1:
        return texts[0]
    types = [value.type for call in calls if isinstance(value := unwrap(call.output), TensorVal)]
    if len(types) < len(calls) or not types:
        return " | ".join(filter(None, texts[:_MOST]))
    joined: TensorType = types[0]
    for type_ in types[1:]:
        joined = join_types(joined, type_)
    return show_type(joined)


def tensors_given(value: Value) -> Iterator[TensorVal]:
    """The tensors that a value is or holds."""
    value = unwrap(value)
    if isinstance(value, TensorVal):
        yield value
    else:
        for part in _parts(value):
            yield from tensors_given(part)


def size_in_bytes(value: Value) -> Dim | None:
    """The memory that the tensors of a value take; None if a shape or type is not known."""
    total: Dim = 0
    value = unwrap(value)
    if isinstance(value, Unknown):
        return None
    for tensor in tensors_given(value):
        if isinstance(tensor.shape, Unknown) or not isinstance(tensor.dtype, DType):
            return None
        total = total + numel(tensor.shape) * max(tensor.dtype.bits // _BITS, 1)
    return total


def activations(root: Module) -> tuple[Dim, bool]:
    """The memory of what the modules without parts give in their calls, in bytes, and whether there may be more."""
    total: Dim = 0
    is_open = False
    for module in root.walk():
        if not module.children:
            for call in module.calls:
                size = size_in_bytes(call.output)
                is_open |= size is None
                total = total + (size or 0)
    return total, is_open
