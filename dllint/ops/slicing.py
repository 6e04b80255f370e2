"""The items of an index expression, one kind at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from dllint.domains.dim import Dim, add, bounds, counted, floordiv, maximum, minimum, mul, opaque
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.domains.unsolved import unsolved
from dllint.ir.program import Framework
from dllint.ir.values import SliceVal, Value
from dllint.ops.sizes import is_dim, is_whole_number


@dataclass(frozen=True, slots=True)
class Cut:
    """A slice applied to an axis: how many elements it leaves and its step."""

    length: Dim
    step: Dim | Unknown


def is_slice(item: Value) -> TypeGuard[SliceVal]:
    """Whether an index item is a slice."""
    return isinstance(item, SliceVal)


def cut(size: Dim, item: SliceVal) -> Cut:
    """What ``start:stop:step`` leaves of an axis, by Python's rules; symbolic bounds give symbolic lengths."""
    if item.start is None and item.stop is None and item.step is None:
        return Cut(size, 1)
    step = 1 if item.step is None else item.step
    if not isinstance(step, int) or step == 0:
        return Cut(opaque("slice"), Unknown("no-argument", "step"))
    if step < 0:
        return Cut(_backwards(size, item.start, item.stop, -step), step)
    start = _place(size, item.start, 0)
    stop = _place(size, item.stop, size)
    if start is None or stop is None:
        return Cut(_unsolved(size, item), step)
    span = maximum(add(stop, mul(start, -1)), 0)
    return Cut(span if step == 1 else floordiv(add(span, step - 1), step), step)


def _place(size: Dim, value: Value, default: Dim) -> Dim | None:
    """A slice bound as a number between 0 and the size; ``None`` if its sign is not known."""
    if value is None:
        return default
    if not is_dim(value):
        return None
    low, high = bounds(value)
    if low is not None and low >= 0:
        return minimum(value, size)
    return maximum(add(size, value), 0) if high is not None and high < 0 else None


def _backwards(size: Dim, start: Value, stop: Value, step: int) -> Dim:
    if start is None and stop is None:
        return floordiv(add(size, step - 1), step)
    if isinstance(size, int) and (start is None or isinstance(start, int)) and (stop is None or isinstance(stop, int)):
        return len(range(size)[slice(start, stop, -step)])
    return _unsolved(size, SliceVal(start, stop, -step))


def _unsolved(size: Dim, item: SliceVal) -> Dim:
    """The length of a part whose bounds are known, but not on which side of 0 and of the size they are; or which the data
    decide, as whole numbers in tensors."""
    ends = [end for end in (item.start, item.stop) if end is not None]
    sizes = [end for end in ends if is_dim(end)]
    if len(sizes) == len(ends):
        return unsolved("slice", (size, *sizes))
    return counted("slice") if all(is_dim(end) or is_whole_number(end) for end in ends) else opaque("slice")


def is_mask(item: Value, framework: Framework) -> TypeGuard[TensorType]:
    """Whether an index item selects by truth. Bytes do so in torch only, elsewhere they are positions."""
    if not isinstance(item, TensorType) or isinstance(item.dtype, Unknown):
        return False
    return item.dtype.name == "bool" or (item.dtype.name == "uint8" and framework == "torch")


def axes_taken(item: Value, framework: Framework) -> int | None:
    """How many axes of the tensor an item uses up, ``None`` if that is not known."""
    if item is None or isinstance(item, bool):
        return 0
    if is_mask(item, framework):
        return len(item.shape) if not isinstance(item.shape, Unknown) else None
    if isinstance(item, Unknown) or (isinstance(item, TensorType) and isinstance(item.dtype, Unknown)):
        return None
    return 1
