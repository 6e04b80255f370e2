"""Ranges of whole numbers that are no indices: masks, class numbers, bits."""

from __future__ import annotations

import math

from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between
from dllint.ops.kinds import does
from dllint.ops.ranges.indices import below
from dllint.ops.ranges.spec import RangeCall, limit, range_of, shape_of
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait


@range_of("nonzero")
def _places(call: RangeCall) -> Interval:
    shape = shape_of(call.arg("x"))
    sizes = whole_numbers(shape) if shape is not None else None
    return below(max(sizes, default=None) if sizes is not None else None)


@range_of("class_indices")
def _numbers_of_classes(call: RangeCall) -> Interval:
    return Interval(limit(0.0), limit(math.inf))


@range_of("sequence_mask", "in_top_k", "category_encoding")
def _marks(call: RangeCall) -> Interval:
    """Zeros and ones, or counts of categories."""
    if call.op.kind == "category_encoding" and call.arg("output_mode") == "count":
        return Interval(limit(0.0), limit(math.inf))
    return between(0, 1)


@range_of("bitwise_and", "bitwise_or", "bitwise_xor")
def _bits(call: RangeCall) -> Interval:
    """Of non-negative numbers no bit is set that neither has, so no power of two above both is reached."""
    x, y = call.of("x"), call.of("y")
    if _is_truth(call):
        return between(0, 1)
    if x.low.value < 0 or y.low.value < 0 or math.isinf(max(x.high.value, y.high.value)):
        return UNKNOWN
    most = min(x.high.value, y.high.value) if does(call.op, Trait.BOTH) else _all_bits(max(x.high.value, y.high.value))
    return Interval(limit(0.0), limit(most))


def _all_bits(value: float) -> float:
    return float(2 ** int(value).bit_length() - 1)


def _is_truth(call: RangeCall) -> bool:
    return getattr(call.op.output.dtype, "kind", None) == "bool"


@range_of("bitwise_not")
def _inverted_bits(call: RangeCall) -> Interval:
    """``-1 - x`` of signed numbers."""
    x = call.of("x")
    if _is_truth(call):
        return between(0, 1)
    signed = getattr(call.op.output.dtype, "signed", False)
    return Interval(Bound(-1 - x.high.value, Origin.UNKNOWN), Bound(-1 - x.low.value, Origin.UNKNOWN)) if signed else UNKNOWN
