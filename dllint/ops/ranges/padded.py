"""Parts of padded tensors: the original elements and the padding around them."""

from __future__ import annotations

from dllint.domains.interval import Interval, exactly
from dllint.domains.partition import Box, Partition, Segment, assembled
from dllint.ops.operand import is_axis_list
from dllint.ops.ranges.parts import PartsCall, parts_of
from dllint.ops.ranges.spec import held_by

#: So many elements are added before and after those of an axis.
_Pair = tuple[int, int]


@parts_of("pad")
def _padded(call: PartsCall) -> Partition | None:
    """With a constant. Where the size of an axis is not known, its end and what is added there are one part."""
    shape, pairs = call.shape, _pairs(call)
    if shape is None or pairs is None or call.arg("mode") not in (None, "constant"):
        return None
    x, value = call.parts(call.arg("x")), call.arg("value")
    dtype = call.op.outputs[call.index].dtype
    around = exactly(0) if value is None else held_by(dtype, call.op.framework, call.parts(value).smashed, value)
    sizes = [size if isinstance(size, int) else None for size in shape]
    cuts = tuple(
        _cuts(x.cuts[axis] if x.cuts else (), pair, size) for axis, (pair, size) in enumerate(zip(pairs, sizes, strict=True))
    )
    if not any(cuts):
        return None if any(map(sum, pairs)) else x
    return assembled(cuts, lambda box: _part(x, around, box, pairs, sizes))


def _pairs(call: PartsCall) -> list[_Pair] | None:
    """What torch's list of numbers adds to each axis: two for the last one, two for the one before it, …"""
    given, shape = call.arg("pad"), call.shape
    if call.op.framework != "torch" or not isinstance(given, tuple) or shape is None or len(given) > 2 * len(shape):
        return None
    if len(given) % 2 or not is_axis_list(given) or any(amount < 0 for amount in given):
        return None
    listed = list(zip(given[::2], given[1::2], strict=True))
    return [(0, 0)] * (len(shape) - len(listed)) + listed[::-1]


def _cuts(inner: tuple[int, ...], pair: _Pair, size: int | None) -> tuple[int, ...]:
    before, after = pair
    end = before + size if size is not None and after else 0
    return tuple(sorted({place for place in (before, end, *(cut + before for cut in inner)) if place}))


def _part(x: Partition, around: Interval, box: Box, pairs: list[_Pair], sizes: list[int | None]) -> Interval:
    """The content of a box of the result: elements, padding, or, at boundaries of unknown position, either."""
    source: list[Segment] = []
    either = False
    for (start, stop), (before, after), size in zip(box, pairs, sizes, strict=True):
        if stop is not None and stop <= before:
            return around
        if size is not None and after and start >= before + size:
            return around
        either = either or (size is None and after > 0 and stop is None)
        source.append((max(start - before, 0), _inside(stop, before, size)))
    found = x.over(tuple(source))
    return found.join(around) if either else found


def _inside(stop: int | None, before: int, size: int | None) -> int | None:
    """Where a segment of the result ends in the operand."""
    return None if stop is None or (size is not None and stop - before >= size) else stop - before
