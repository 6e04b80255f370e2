"""Sums and means over tensors in parts, from the number of elements in each part."""

from __future__ import annotations

import math
from itertools import product
from typing import Final

from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Bound, Interval
from dllint.domains.partition import FULL, Box, Partition, Segment, assembled, boxes, whole
from dllint.domains.shape import normalize_axis
from dllint.ir.program import TensorVal
from dllint.ops.kinds import does
from dllint.ops.ranges.parts import PartsCall, parts_of
from dllint.ops.ranges.rounding import roundoff, total
from dllint.ops.ranges.spec import format_of, is_whole
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait

#: Arguments that leave numbers out or weigh them.
_FURTHER: Final = ("where", "initial", "weight", "weights")


@parts_of("sum", "mean")
def _added_up(call: PartsCall) -> Partition | None:
    """Where parts differ along the axes that are reduced. (Else each row of the result is computed from one part.)"""
    x, axes = call.parts(call.arg("x")), _reduced(call)
    if not x.cuts or axes is None or not any(x.cuts[axis] for axis in axes):
        return None
    if is_whole(call.op.output.dtype) and not does(call.op, Trait.SUMS):
        return None  # the sum that a mean is computed from may wrap around
    shape = call.shape or ()
    sizes = whole_numbers(shape[axis] for axis in axes)
    if sizes is None or min(sizes, default=1) <= 0:
        return None
    rows = [list(boxes((x.cuts[axis],))) for axis in axes]
    kept = tuple(() if axis in axes else cuts for axis, cuts in enumerate(x.cuts))

    def added(box: Box) -> Interval:
        cells = []
        for parts in product(*rows):
            segments: dict[int, Segment] = {axis: part[0] for axis, part in zip(axes, parts, strict=True)}
            count = math.prod(_length(segments[axis], size) for axis, size in zip(axes, sizes, strict=True))
            cells.append((count, x.over(tuple(segments.get(axis, part) for axis, part in enumerate(box)))))
        return _sum(cells, call, math.prod(sizes))

    if not any(kept):
        return whole(added((FULL,) * len(kept)))
    found = assembled(kept, added)
    rest = tuple(cuts for axis, cuts in enumerate(kept) if axis not in axes)
    return found if call.arg("keepdim") else Partition(rest, found.cells)


def _is_converted(call: PartsCall) -> bool:
    """Whether elements become ones of another type before they are added up."""
    x = call.arg("x")
    return call.arg("dtype") is not None and (not isinstance(x, TensorVal) or x.dtype != call.op.output.dtype)


def _reduced(call: PartsCall) -> tuple[int, ...] | None:
    """The axes that are reduced, if the result determines nothing else."""
    dim, shape = call.arg("dim"), call.shape
    if shape is None or any(call.arg(name) is not None for name in _FURTHER) or _is_converted(call):
        return None
    if dim is None:
        return tuple(range(len(shape)))
    dims = dim if isinstance(dim, tuple) else (dim,)
    places = [normalize_axis(axis, len(shape)) if type(axis) is int else None for axis in dims]
    known = tuple(place for place in places if place is not None)
    return known if known and len(set(known)) == len(places) else None


def _length(segment: Segment, size: int) -> int:
    start, stop = segment
    return max((size if stop is None else min(stop, size)) - min(start, size), 0)


def _sum(cells: list[tuple[int, Interval]], call: PartsCall, count: int) -> Interval:
    fmt = format_of(call.op.outputs[call.index].dtype, call.op.framework)
    share = 1 if does(call.op, Trait.SUMS) else count
    present = [(number, cell) for number, cell in cells if number]
    low = _end([(number, cell.low) for number, cell in present], fmt, -1, share)
    high = _end([(number, cell.high) for number, cell in present], fmt, 1, share)
    signs = all(cell.low.value >= 0 for _, cell in present) or all(cell.high.value <= 0 for _, cell in present)
    return Interval(low, high, signs and not all(cell.has_zero for _, cell in present))


def _end(ends: list[tuple[int, Bound]], fmt: FloatFormat, direction: int, share: int) -> Bound:
    """The sum of the parts' ends with its rounding error; a sum of open ends excludes 0."""
    values = [total(end.value, number, fmt, direction) for number, end in ends]
    origin = max(end.origin for _, end in ends)
    outermost = direction * math.inf
    if not all(map(math.isfinite, values)):
        return Bound(outermost, origin)
    error = math.fsum(map(abs, values)) * roundoff(sum(number for number, _ in ends), fmt)
    value = (math.fsum(values) + direction * error) / share
    moved = fmt.above(value) if direction > 0 else fmt.below(value)
    exact = value == 0 and error == 0
    return Bound(0.0 if exact else moved, origin, not exact or all(end.closed for _, end in ends))
