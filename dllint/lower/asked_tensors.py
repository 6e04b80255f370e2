"""What functions of torch ask of the types of their tensors and of their axes, beside what :mod:`dllint.lower.asked` has: known
from calls, as ``python -m dllint.dev.operands`` has written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import NoneType
from typing import Final

from dllint.domains.dtype import DType
from dllint.frameworks.operands import Operands
from dllint.ir.program import Fault, TensorVal
from dllint.ir.values import Value
from dllint.ops import faults

#: The types that calls were made with; automatic casts make others of the halves.
_TRIED: Final = frozenset({"float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128"})
_HALVES: Final = frozenset({"float16", "bfloat16"})


def of_tensors(asked: Operands, values: Mapping[str, Value], first: str) -> Iterator[Fault]:
    """The faults in the types of a call's tensors and in its axes; ``first`` is its first parameter."""
    x = values.get(first)
    if not isinstance(x, TensorVal) or x.framework != "torch":
        return
    plain = all(isinstance(value, (bool, str, float, TensorVal, NoneType)) for value in values.values())
    for name, least in asked.least.items() if plain else ():
        y = values.get(name)
        if isinstance(y, TensorVal) and isinstance(y.shape, tuple) and len(y.shape) < least:
            yield Fault(faults.RANK, operand=name, expected=_ranks(least), actual=len(y.shape), shapes=(y.shape,))
    yield from _of_other_types(asked, values, x)
    yield from _of_other_axes(asked, values, x)
    yield from _of_another_result(asked, values, x)


def _of_another_result(asked: Operands, values: Mapping[str, Value], x: TensorVal) -> Iterator[Fault]:
    out = values.get("out")
    if "first" not in asked.exact or values.get("dtype") is not None or not isinstance(out, TensorVal):
        return
    if not isinstance(x.dtype, DType) or not isinstance(out.dtype, DType) or x.dtype == out.dtype:
        return
    if {x.dtype.name, out.dtype.name} <= _TRIED:
        yield Fault(faults.DTYPE, operand="out", expected=x.dtype, actual=out.dtype, advice="convert it first")


def _ranks(least: int) -> tuple[int, ...]:
    return tuple(range(least, 6))


def _of_other_types(asked: Operands, values: Mapping[str, Value], x: TensorVal) -> Iterator[Fault]:
    tensors = [value for value in values.values() if isinstance(value, TensorVal)]
    if not all(map(_has_elements, tensors)):
        return
    for name, taken in asked.kinds.items():
        y = values.get(name)
        if isinstance(y, TensorVal) and isinstance(y.dtype, DType) and y.dtype.name not in taken and _was_tried(y.dtype, taken):
            yield Fault(faults.DTYPE, operand=name, expected=_in_words(taken), actual=y.dtype, advice="convert it first")
    for name in asked.alike[1:]:
        y = values.get(name)
        if not isinstance(y, TensorVal) or not isinstance(x.dtype, DType) or not isinstance(y.dtype, DType):
            continue
        if x.dtype != y.dtype and {x.dtype.name, y.dtype.name} <= _TRIED:
            yield Fault(faults.DTYPE, operand=name, expected=x.dtype, actual=y.dtype, advice="convert it first")


def _has_elements(x: TensorVal) -> bool:
    """Whether a tensor has axes and elements: types of others may not be looked at."""
    return isinstance(x.shape, tuple) and bool(x.shape) and 0 not in x.shape


def _was_tried(dtype: DType, taken: Sequence[str]) -> bool:
    """Whether a type was tried, and no cast makes another of it where fractions are taken."""
    return dtype.name in _TRIED or (dtype.name in _HALVES and not any("float" in name for name in taken))


def _in_words(taken: Sequence[str]) -> str:
    return " or ".join([", ".join(taken[:-1]), taken[-1]]) if len(taken) > 1 else taken[0]


def _of_other_axes(asked: Operands, values: Mapping[str, Value], x: TensorVal) -> Iterator[Fault]:
    if not isinstance(x.shape, tuple):
        return
    rank = len(x.shape)
    for name in asked.axes:
        axis = values.get(name)
        if isinstance(axis, int) and not isinstance(axis, bool) and not -max(rank, 1) <= axis < max(rank, 1):
            yield Fault(faults.AXIS_RANGE, operand=name, actual=axis, expected=rank, shapes=(x.shape,))
