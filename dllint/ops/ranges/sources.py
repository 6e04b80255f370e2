"""Ranges of tensors that are created: filled, drawn, given as data, or joined from others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from dllint.domains.dim import DimExpr, bounds
from dllint.domains.dtype import DType
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, exactly, unbounded
from dllint.domains.interval_arithmetic import add, mul
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.ops.chosen import is_by_place, is_exchangeable
from dllint.ops.kinds import does, having
from dllint.ops.ranges.conditions import constrained, doubted, held, truth
from dllint.ops.ranges.ends import last_elements
from dllint.ops.ranges.indices import along
from dllint.ops.ranges.spec import (
    MOVES,
    RangeCall,
    is_float,
    laid_out,
    maker_of,
    operand,
    placed,
    range_of,
    shape_of,
    stored,
    tensors,
)
from dllint.ops.traits import Trait

#: The extremes that TensorFlow finds where there are no elements.
_OF_NOTHING: Final = {**dict.fromkeys(having(Trait.LARGEST), -math.inf), **dict.fromkeys(having(Trait.SMALLEST), math.inf)}
#: Normal numbers of 64 random bits lie within so many deviations.
_DEVIATIONS: Final = 9.0


@range_of("zeros", "zeros_like", "new_zeros")
def _zeros(call: RangeCall) -> Interval:
    """Zeros are usually filled later, often by code that is not followed."""
    return between(0, 0, Origin.UNKNOWN)


@range_of("ones", "ones_like", "new_ones")
def _ones(call: RangeCall) -> Interval:
    return exactly(1)


@range_of("full", "full_like", "new_full")
def _full(call: RangeCall) -> Interval:
    return placed(call, "fill_value")


@range_of("tensor", "array", "from_numpy", "as_array", "stored_data", "arange", "linspace", "randint", "quantize")
def _given(call: RangeCall) -> Interval:
    """Literal numbers, or data whose range is documented."""
    out = call.op.outputs[call.index]
    if out.low is not None and out.high is not None:
        return stored(Interval(Bound(out.low), Bound(out.high)), None, call)
    data = call.arg("data", call.arg("x"))
    if data is not None and not isinstance(data, tuple):
        return stored(call.ranges(data), data, call)
    return unbounded(Origin.INPUT) if call.op.kind == "stored_data" and is_float(out.dtype) else UNKNOWN


@range_of("rand", "rand_like", "uniform")
def _uniform(call: RangeCall) -> Interval:
    """From 0 to below 1, or between the limits that are given."""
    low = _first(call, ("minval", "low"), 0.0)
    high = _first(call, ("maxval", "high"), 1.0)
    return Interval(low.low, Bound(high.high.value, high.high.origin, False))


def _first(call: RangeCall, names: tuple[str, ...], default: float) -> Interval:
    return next((call.of(name) for name in names if call.arg(name) is not None), exactly(default))


@range_of("randn", "randn_like", "normal")
def _normal(call: RangeCall) -> Interval:
    """Samples of a normal distribution, treated as never exactly 0 unless the deviation may be 0."""
    return _around(_first(call, ("mean",), 0.0), _first(call, ("std", "stddev"), 1.0), call)


def _around(mean: Interval, deviation: Interval, call: RangeCall) -> Interval:
    spread = Interval(Bound(-_DEVIATIONS, closed=False), Bound(_DEVIATIONS, closed=False))
    found = add(mean, mul(spread, deviation, call.fmt), call.fmt)
    return Interval(found.low, found.high, not deviation.has_zero)


@range_of("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window")
def _window(call: RangeCall) -> Interval:
    """From 0 to 1, but for rounding."""
    return between(call.fmt.below(-_ALMOST), call.fmt.above(1 + _ALMOST), Origin.UNKNOWN)


_ALMOST: Final = 1e-6


@range_of("placeholder", "model_input")
def _input(call: RangeCall) -> Interval:
    return unbounded(Origin.INPUT) if is_float(call.op.output.dtype) else UNKNOWN


@range_of("fill_with")
def _refilled(call: RangeCall) -> Interval:
    return _written(call, "value")


@range_of("copy_into")
def _copied(call: RangeCall) -> Interval:
    return _written(call, "src")


def _written(call: RangeCall, name: str) -> Interval:
    """What elements hold that something is written into: those of an unknown type may be of any format."""
    found = placed(call, name)
    return found if isinstance(call.op.outputs[call.index].dtype, DType) else found.join(call.of(name))


@range_of("draw_into")
def _drawn(call: RangeCall) -> Interval:
    known = _DRAWN.get(str(call.arg("distribution")))
    return UNKNOWN if known is None else known(call)


def _drawn_evenly(call: RangeCall) -> Interval:
    """The upper limit may be reached by rounding."""
    low, high = operand(call, "low").low, operand(call, "high").high
    return Interval(low, Bound(high.value, high.origin)) if low.value <= high.value else UNKNOWN


#: Distributions whose numbers have a range that follows from their parameters.
_DRAWN: Final[dict[str, Callable[[RangeCall], Interval]]] = {
    "uniform": _drawn_evenly,
    "normal": lambda call: _around(operand(call, "mean"), operand(call, "std"), call),
}


@range_of(*MOVES)
def _moved(call: RangeCall) -> Interval:
    if call.op.spelled.endswith("requires_grad_"):  # the tensor itself, which is trained from now on
        return unbounded(Origin.TRAINED)
    if call.index and call.op.kind in _WITH_POSITIONS:
        return along(call)
    if call.index and call.op.kind in _WITH_OTHERS:
        return Interval(Bound(0.0), UNKNOWN.high)
    if call.op.kind in ("median", "mode", "kthvalue") and 0 in (shape_of(call.arg("x")) or ()):
        return UNKNOWN
    if does(call.op, Trait.SUBSCRIPTS) and (last := last_elements(call)) is not None:
        return last
    found = call.of("x")
    if call.op.kind in _OF_NOTHING and call.op.framework == "tensorflow" and 0 in (shape_of(call.arg("x")) or ()):
        return found.join(exactly(_OF_NOTHING[call.op.kind]))
    if call.arg("padding") not in (None, 0) and call.arg("dilation") not in (None, 1):
        return Interval(Bound(-math.inf, Origin.UNKNOWN), found.high)  # a window with gaps may see nothing but padding
    mask = _mask(call)
    left = constrained(call.arg("x"), found, mask, True, call.ranges) if _is_truth(mask) else found
    if isinstance(x := call.arg("x"), TensorVal) and _is_truth(mask) and _is_left_alone(call, x, mask):
        left = held(x, left, mask, call.ranges)
    chosen = _is_truth(mask) or (call.op.kind in _INDEXED and _leaves_out(call.arg("x"), call.arg("index")))
    chosen = chosen or (call.op.kind in _DIVIDING and not _is_even(call.arg("x")))
    return doubted(found) if call.integer and chosen and left == found else left


def _is_left_alone(call: RangeCall, x: TensorVal, mask: Value) -> bool:
    """Whether all that was assigned to elements since a mask was computed concerns those that the mask leaves out
    (``x[m] = f(x[m])`` before ``x[~m]``)."""
    test, holds = truth(mask)
    if call.view is None or call.op.repeated or x.foreign or not x.stale or not isinstance(test, TensorVal):
        return False
    return all(write.output.id < test.id or _is_at_others(write, test, holds) for write in call.view.writes(call.op, x))


def _is_at_others(write: Op, test: TensorVal, holds: bool) -> bool:
    """Whether an assignment concerns the elements for which a condition is the opposite of what it is for others."""
    index = write.args.get("index")
    behind, assigned = truth(index[0] if isinstance(index, tuple) and len(index) == 1 else index)
    return does(write, Trait.OVERWRITES) and behind is test and assigned is not holds


def _leaves_out(x: Value, index: Value) -> bool:
    """Whether an index may leave out the largest or the smallest element, of whichever numbers the tensor is made."""
    if not is_by_place(index):
        return True
    items = index if isinstance(index, tuple) else (index,)
    return not all(map(_takes_all, items)) and not _is_even(x)


def _is_even(x: Value) -> bool:
    """Whether every element may take any value of the range."""
    return not isinstance(x, TensorVal) or is_exchangeable(x)


def _takes_all(item: Value) -> bool:
    """Whether an item of an index leaves out nothing of its axis."""
    return item is None or item is ... or (isinstance(item, SliceVal) and item.start is None and item.stop is None)


def _mask(call: RangeCall) -> Value:
    """The condition that elements are taken by, or at whose true places they are taken."""
    given = call.arg("index" if call.op.kind in _INDEXED else "mask")
    given = given[0] if isinstance(given, tuple) and len(given) == 1 else given
    maker = maker_of(laid_out(given))
    while does(maker, Trait.SUBSCRIPTS):
        maker = maker_of(laid_out(maker.args.get("x")))
    if maker is None or maker.kind not in _TRUE_PLACES or maker.args.get("y") is not None:
        return given
    return maker.args.get(_TRUE_PLACES[maker.kind])


#: Operations that choose elements by an index.
_INDEXED: Final = having(Trait.INDEXES) - having(Trait.CUTS)
#: Operations that divide a tensor into parts.
_DIVIDING: Final = having(Trait.CUTS)
#: Operations that give the places of true elements.
_TRUE_PLACES: Final = {"nonzero": "x", "argwhere": "x", "flatnonzero": "x", "where": "condition"}


def _is_truth(mask: Value) -> bool:
    return isinstance(mask, TensorVal) and isinstance(mask.dtype, DType) and mask.dtype.kind == "bool"


#: Operations whose further results are positions in more than one axis, or counts.
_WITH_OTHERS: Final = having(Trait.MAX_POOL) | {"unique"}
#: Operations whose second result counts positions.
_WITH_POSITIONS: Final = frozenset({"sort", "topk", "kthvalue", "median", "mode", "max_dim", "min_dim", "cummax", "cummin"})


@range_of("pad", "zero_pad")
def _padded(call: RangeCall) -> Interval:
    """With a constant, or with elements (reflected, repeated)."""
    x, value = call.of("x"), call.arg("value")
    if call.arg("mode") in ("reflect", "replicate", "circular", "symmetric", "REFLECT", "SYMMETRIC", "edge", "wrap"):
        return UNKNOWN if call.op.framework == "torch" and _may_crop(call.arg("pad")) else x
    return x.join(exactly(0) if value is None else placed(call, "value"))


def _may_crop(pad: Value) -> bool:
    """Whether an amount of padding may be negative: what torch repeats then may lie outside of the tensor."""
    amounts = pad if isinstance(pad, tuple) else (pad,)
    return not all(isinstance(n, (int, DimExpr)) and (bounds(n)[0] or 0) >= 0 for n in amounts)


@range_of("tril", "triu", "diag", "diag_embed", "unfold", "extract_patches", "max_unpool")
def _with_zeros(call: RangeCall) -> Interval:
    return call.of("x").join(exactly(0))


@range_of("block_diag")
def _blocks(call: RangeCall) -> Interval:
    return joined(call, *tensors(call.arg("tensors"))).join(exactly(0))


@range_of("meshgrid", "broadcast_tensors", "cartesian_prod")
def _grids(call: RangeCall) -> Interval:
    """Each grid repeats one of the vectors; their combinations stand in one tensor."""
    vectors = tensors(call.arg("tensors"))
    return call.ranges(vectors[call.index]) if call.index < len(vectors) == len(call.op.outputs) else joined(call, *vectors)


@range_of("cat", "stack", "hstack", "vstack", "dstack", "column_stack")
def _together(call: RangeCall) -> Interval:
    return joined(call, *tensors(call.arg("tensors")))


@range_of("phi")
def _either(call: RangeCall) -> Interval:
    return joined(call, call.arg("x"), call.arg("y"))


def joined(call: RangeCall, *values: Value) -> Interval:
    """The union of the ranges of some tensors."""
    if not values:
        return UNKNOWN
    found = call.ranges(values[0])
    for value in values[1:]:
        found = found.join(call.ranges(value))
    return found
