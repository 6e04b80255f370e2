"""Node types that move elements: slices, joins, one-hot vectors, and sums of several tensors."""

from __future__ import annotations

from typing import Any

from dllint.domains.dtype import INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.elements import computed
from dllint.lower.graphs.tensorflow.handler import node_type


@node_type("Squeeze")
def squeeze(call: Call) -> Any:
    """Axes of size 1 removed: those that are named, or all."""
    dims = call.attribute("squeeze_dims") or None
    result = call.emit("squeeze", x=call.input(0), dim=dims)
    return call.holds(result, computed("squeeze", result, {"x": call.elements(0)}))


@node_type("ConcatV2")
def concat(call: Call) -> Any:
    """Tensors put together; the axis comes last."""
    return _joined(call, range(len(call) - 1), len(call) - 1)


@node_type("Concat")
def old_concat(call: Call) -> Any:
    """Tensors put together; the axis comes first."""
    return _joined(call, range(1, len(call)), 0)


def _joined(call: Call, numbers: range, axis: int) -> Any:
    tensors = tuple(value for n in numbers if (value := call.input(n)) is not None)
    dim = call.elements(axis)
    result = call.emit("cat", tensors=tensors, dim=Unknown("no-argument", "dim") if dim is None else dim)
    return call.holds(result, computed("cat", result, {"tensors": tuple(map(call.elements, numbers)), "dim": dim}))


@node_type("Slice")
def cut(call: Call) -> Any:
    """``Slice``: begin and size for each axis; a size of -1 means all remaining elements."""
    begin, size = call.elements(1), call.elements(2)
    if not isinstance(begin, tuple) or not isinstance(size, tuple):
        missing = Unknown("no-argument", "slice")
        return call.emit("slice", x=call.input(0), begin=begin or missing, size=size or missing)
    ends = (None if isinstance(n, int) and n == -1 else start + n for start, n in zip(begin, size, strict=False))
    return _indexed(call, tuple(SliceVal(start, end, None) for start, end in zip(begin, ends, strict=False)))


@node_type("StridedSlice")
def strided(call: Call) -> Any:
    """Python's slices: bits of the masks say which items are no plain ``start:stop:step``."""
    parts = [call.elements(number) for number in (1, 2, 3)]
    count = next((len(part) for part in parts if isinstance(part, tuple)), None)
    if count is None:
        return None
    columns = [part if isinstance(part, tuple) else (Unknown("no-argument", "slice"),) * count for part in parts]
    return _indexed(call, tuple(_item(call, at, *items) for at, items in enumerate(zip(*columns, strict=False))))


def _item(call: Call, at: int, begin: Value, end: Value, step: Value) -> Any:
    def masked(name: str) -> bool:
        mask = call.attribute(name, 0)
        return isinstance(mask, int) and bool(mask >> at & 1)

    if masked("ellipsis_mask"):
        return ...
    if masked("new_axis_mask"):
        return None
    if masked("shrink_axis_mask"):
        return TensorVal(TensorType((), INT32), framework="tensorflow") if isinstance(begin, Unknown) else begin
    first, last = None if masked("begin_mask") else begin, None if masked("end_mask") else end
    return SliceVal(first, last, None if step == 1 else step)


def _indexed(call: Call, index: tuple[Value, ...]) -> Any:
    result = call.emit("getitem", x=call.input(0), index=index)
    return call.holds(result, computed("getitem", result, {"x": call.elements(0), "index": index}))


@node_type("OneHot")
def one_hot(call: Call) -> Any:
    """Vectors with one element that is on; ``depth``, ``on`` and ``off`` are operands."""
    depth, on, off = (call.elements(number) for number in (1, 2, 3))
    axis = call.attribute("axis", -1)
    depth = Unknown("no-argument", "depth") if depth is None else depth
    shown = call.input(2)
    made = call.emit("one_hot", x=call.input(0), num_classes=depth, dim=axis, dtype=None if shown is None else shown.dtype)
    if (on, off) == (1, 0):
        return made
    if isinstance(on, (int, float)) and isinstance(off, (int, float)):
        return call.emit("add", x=call.emit("mul", x=made, y=on - off), y=off)
    return call.produce("unmodelled", {"operands": call.tensors()}, made.type)


@node_type("AddN", "AccumulateNV2")
def add_all(call: Call) -> Any:
    """The sum of all operands."""
    found, *others = call.tensors()
    for other in others:
        found = call.emit("add", x=found, y=other)
    return found if others else call.emit("identity", x=found)
