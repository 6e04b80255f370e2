"""Parts of tensors: a slice of what was put together has the range of the pieces it is cut from.

Which parts there are follows from where tensors are cut (split, slices) and put together (concatenation, stacks); between the
two, operations that work element by element are computed for the part alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final

from dllint.domains.interval import Interval
from dllint.domains.shape import normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal
from dllint.ops.spec import OPS


@dataclass(frozen=True, slots=True)
class Region:
    """The elements from ``start`` to before ``stop`` along an axis, counted from 0."""

    axis: int
    start: int
    stop: int


Part = Callable[[Any, Region], Interval]
_POINTWISE: Final = frozenset({"elementwise", "activation", "binary"})
_ALONG_AXES: Final = frozenset({"softmax", "log_softmax", "softmin", "gumbel_softmax", "normalize", "glu", "prelu"})


def is_pointwise(op: Op) -> bool:
    """Whether an operation computes each element from those of its operands at the same place."""
    spec = OPS.get(op.kind)
    return spec is not None and spec.family in _POINTWISE and op.kind not in _ALONG_AXES


def regions(op: Op, index: int) -> Iterator[Region]:
    """The regions of an operation's operand ``x`` that its result is cut from."""
    x = op.args.get("x")
    shape = x.shape if isinstance(x, TensorVal) else None
    if not isinstance(shape, tuple):
        return
    if op.kind in ("split", "chunk", "tensor_split", "unbind"):
        yield from _share(op, index, shape)
    elif op.kind == "getitem":
        yield from _indexed(op.args.get("index"), shape)


def _share(op: Op, index: int, shape: tuple[Any, ...]) -> Iterator[Region]:
    """One of the parts that a tensor is split into."""
    dim = op.args.get("dim", 0)
    axis = normalize_axis(dim, len(shape)) if isinstance(dim, int) else None
    if axis is None:
        return
    if op.kind == "unbind":
        yield Region(axis, index, index + 1)
        return
    sizes = [out.shape[axis] for out in op.outputs[: index + 1] if isinstance(out.shape, tuple)]
    if len(sizes) == index + 1 and all(isinstance(size, int) for size in sizes):
        ends = list(accumulate(sizes))
        yield Region(axis, ends[-1] - sizes[-1], ends[-1])


def _indexed(index: Any, shape: tuple[Any, ...]) -> Iterator[Region]:
    """What whole numbers and slices without steps choose; indices behind an ellipsis count from the last axis."""
    items = index if isinstance(index, tuple) else (index,)
    if not all(type(item) is int or isinstance(item, SliceVal) or item is ... for item in items):
        return
    cut = items.index(...) if ... in items else len(items)
    places = [*range(cut), *([None] if cut < len(items) else []), *range(len(shape) - (len(items) - cut - 1), len(shape))]
    for axis, item in zip(places, items, strict=True):
        if axis is not None and 0 <= axis < len(shape) and isinstance(shape[axis], int):
            found = _chosen(item, shape[axis])
            if found is not None:
                yield Region(axis, *found)


def _chosen(item: Any, size: int) -> tuple[int, int] | None:
    if isinstance(item, int):
        return (item % size, item % size + 1) if -size <= item < size else None
    parts = (item.start, item.stop, item.step)
    if not all(part is None or isinstance(part, int) for part in parts):
        return None
    start, stop, step = slice(*parts).indices(size)
    return (start, stop) if step == 1 and start < stop else None


def pieces(op: Op, region: Region) -> list[tuple[TensorVal, Region | None]] | None:
    """The tensors that a region of a concatenation or stack consists of, with the region of each (``None``: all of it);
    ``None`` if that is not known."""
    tensors, result = op.args.get("tensors"), op.output.shape
    dim = op.args.get("dim")
    if not isinstance(tensors, tuple) or not isinstance(result, tuple):
        return None
    dim = 0 if dim is None and op.framework in ("torch", "numpy") else dim
    axis = normalize_axis(dim, len(result)) if isinstance(dim, int) else None
    if axis is None or not all(isinstance(tensor, TensorVal) and isinstance(tensor.shape, tuple) for tensor in tensors):
        return None
    if axis != region.axis:
        moved = replace(region, axis=region.axis - (op.kind == "stack" and axis < region.axis))
        return [(tensor, moved) for tensor in tensors]
    if op.kind == "stack":
        return [(tensor, None) for tensor in tensors[region.start : region.stop]]
    return _overlapping(tensors, region)


def _overlapping(tensors: tuple[TensorVal, ...], region: Region) -> list[tuple[TensorVal, Region | None]] | None:
    """The tensors of a concatenation that a region touches."""
    out: list[tuple[TensorVal, Region | None]] = []
    begin = 0
    for tensor in tensors:
        size = tensor.shape[region.axis]
        if not isinstance(size, int):
            return None
        start, stop = max(region.start - begin, 0), min(region.stop - begin, size)
        if start < stop:
            out.append((tensor, Region(region.axis, start, stop)))
        begin += size
    return out
