"""Ranges of reductions: sums, means, spreads, extremes and counts."""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.dim import DimExpr, bounds
from dllint.domains.dtype import DType
from dllint.domains.finite import as_float
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, exactly
from dllint.domains.interval_arithmetic import absolute
from dllint.domains.lattice import Unknown
from dllint.domains.shape import normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges import order
from dllint.ops.ranges.pairs import meets_itself
from dllint.ops.ranges.rounding import accumulator, averaged, roundoff, total
from dllint.ops.ranges.spec import MEANS, MOVES, RangeCall, is_float, laid_out, limit, maker_of, range_of, stored
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait

#: The exponential function itself.
EXPONENTIALS: Final = having(Trait.EXPONENTIAL | Trait.NATURAL) - having(Trait.SHIFTED)


@range_of("sum", "nansum")
def _sum(call: RangeCall) -> Interval:
    x = call.arg("x")
    if isinstance(x, TensorVal) and is_float(x.dtype) and not is_float(call.op.output.dtype):
        return UNKNOWN  # elements lose their fractions before they are summed
    found = _made(call, summed(_taken(call), reduced_count(x, call.arg("dim")), call))
    if call.relations and found.low.value == 0 and _takes_all(call) and meets_itself(x):
        found = Interval(Bound(1.0, Origin.UNKNOWN), found.high)
    if may_be_empty(x, call.arg("dim")):
        found = found.join(NOTHING)
    maker = maker_of(laid_out(x))
    if maker is None or not call.relations or isinstance(call.arg("dtype"), Unknown):
        return found
    if does(maker, Trait.SHARES) and order.same_axes(call.arg("dim"), maker):
        return _about_one(call, reduced_count(x, call.arg("dim")))
    if maker.kind in EXPONENTIALS and order.is_shifted(maker.args.get("x"), call.arg("dim")):
        return Interval(Bound(1.0), found.high)
    if (picked := _picked(call, maker)) is not None:
        return picked
    return Interval(Bound(found.low.value, Origin.UNKNOWN), found.high) if _of_probabilities(x) else found


def _taken(call: RangeCall) -> Interval:
    """The elements that are reduced: those of the operand, made to the element type that is asked for."""
    return call.of("x") if call.arg("dtype") is None else stored(call.of("x"), call.arg("x"), call)


def _made(call: RangeCall, found: Interval) -> Interval:
    """What a result of the element type that is asked for holds; of one that is not known, perhaps a truth value."""
    return stored(found, None, call) if isinstance(call.arg("dtype"), Unknown) else found


def _takes_all(call: RangeCall) -> bool:
    """Whether all elements along some axes are summed, and nothing else."""
    return call.arg("where") is None and call.arg("initial") is None


#: The sum of no numbers; that there are none is not known.
NOTHING: Final = between(0, 0, Origin.UNKNOWN)


def may_be_empty(x: Value, dim: Value) -> bool:
    """Whether an axis that is reduced may have no elements, such as the one of elements picked by a condition."""
    return any(isinstance(size, (int, DimExpr)) and (bounds(size)[0] or 0) <= 0 for size in _reduced_sizes(x, dim))


def _picked(call: RangeCall, product: Op) -> Interval | None:
    """The sum over classes of a product with one-hot vectors: one element of the other factor, or 0 where the class number is
    out of range (torch refuses such a number)."""
    dim, x = call.arg("dim"), call.arg("x")
    rank = x.type.rank if isinstance(x, TensorVal) else None
    if not does(product, Trait.MULTIPLIES) or dim is None or (dim != -1 and dim != (rank or 0) - 1):
        return None
    for hot, other in (("x", "y"), ("y", "x")):
        if _is_one_hot(product.args.get(hot)):
            found = call.ranges(product.args.get(other))
            return found if call.op.framework == "torch" else found.join(between(0, 0, Origin.UNKNOWN))
    return None


_PLACES_KEPT: Final = having(Trait.KEEPS_PLACES) - having(Trait.TAKES_DATA)


def _is_one_hot(value: Value) -> bool:
    """Whether a tensor has one 1 along its last axis, and 0 elsewhere."""
    maker = maker_of(value)
    while maker is not None and maker.kind in _PLACES_KEPT and maker.inputs:
        maker = maker.inputs[0].producer
    usual = {"dim": (None, -1), "on_value": (None, 1), "off_value": (None, 0)}
    return maker is not None and maker.kind == "one_hot" and all(maker.args.get(k) in v for k, v in usual.items())


def _about_one(call: RangeCall, count: int | None) -> Interval:
    """The sum of probabilities: 1 up to the rounding of each term and each partial sum."""
    error = 2.0 ** (2 - call.fmt.precision) * (count or _MANY)
    return between(1 - error, 1 + error) if error < 1 else between(0, 2, Origin.UNKNOWN)


#: As many numbers as a sum of unknown length may be expected to have at most.
_MANY: Final = 2.0**16


_PROBABILITIES: Final = having_any(Trait.SHARES | Trait.LOGISTIC)
_COMBINING: Final = having_any(Trait.MULTIPLIES | Trait.ADDS | Trait.DROPS)


def _of_probabilities(value: Value, depth: int = 4) -> bool:
    """Whether numbers are made of probabilities, which are not all 0 together."""
    maker = maker_of(laid_out(value))
    if maker is None or depth == 0:
        return False
    if maker.kind in _PROBABILITIES:
        return True
    if maker.kind in MOVES | MEANS:
        return _of_probabilities(maker.args.get("x"), depth - 1)
    return maker.kind in _COMBINING and any(_of_probabilities(v, depth - 1) for v in maker.inputs)


def reduced_count(x: Value, dim: Value) -> int | None:
    """How many elements are reduced to one, if that is known."""
    if not isinstance(x, TensorVal) or not isinstance(x.shape, tuple):
        return None
    sizes = _reduced_sizes(x, dim)
    known = [size for size in sizes if isinstance(size, int)]
    return math.prod(known) if len(known) == len(sizes) else None


def _reduced_sizes(x: Value, dim: Value) -> list[Value]:
    """The sizes of the axes that are reduced, ``None`` for one that is not known."""
    if not isinstance(x, TensorVal) or not isinstance(x.shape, tuple) or not x.shape:
        return []
    every = dim is None or (dim == () and x.framework == "torch")
    axes = range(len(x.shape)) if every else dim if isinstance(dim, tuple) else (dim,)
    places = [normalize_axis(axis, len(x.shape)) if isinstance(axis, int) else None for axis in axes]
    return [x.shape[place] if place is not None else None for place in places]


def summed(x: Interval, count: int | None, call: RangeCall) -> Interval:
    """The sum of at least one number; of ``count`` numbers if that is known."""
    if count == 0:
        return exactly(0)
    return Interval(_total(x.low, count, call, -math.inf), _total(x.high, count, call, math.inf), _one_sign(x))


def _one_sign(x: Interval) -> bool:
    return not x.has_zero and (x.low.value >= 0 or x.high.value <= 0)


def _total(end: Bound, count: int | None, call: RangeCall, outermost: float) -> Bound:
    """An end of a sum. An end on its own side of 0 (an upper one above, a lower one below) grows with the number of summands;
    the other end holds for a single summand."""
    direction = 1 if outermost > 0 else -1
    if count is not None:
        value = total(end.value, count, call.fmt, direction) if end.value else end.value
        return Bound(value, end.origin, end.closed or value != 0)
    if end.value * direction > 0:
        return Bound(outermost, max(end.origin, Origin.INPUT))
    return Bound(end.value, end.origin, end.closed or end.value != 0)


@range_of("mean", "nanmean")
def _mean(call: RangeCall) -> Interval:
    if _sums_whole_numbers(call):
        return UNKNOWN
    return _made(call, averaged(_taken(call), reduced_count(call.arg("x"), call.arg("dim")), call.fmt))


def _sums_whole_numbers(call: RangeCall) -> bool:
    """Whether elements are truncated to integers before they are summed, so that the sum may wrap around."""
    dtype = call.op.output.dtype
    return isinstance(dtype, DType) and not is_float(dtype)


@range_of("trace")
def _trace(call: RangeCall) -> Interval:
    return summed(call.of("x"), _diagonal(call.arg("x")), call)


def _diagonal(x: Value) -> int | None:
    """The length of the diagonal of matrices of known size."""
    shape = x.shape if isinstance(x, TensorVal) else None
    sizes = whole_numbers(shape) if isinstance(shape, tuple) and len(shape) == 2 else None
    return min(sizes) if sizes else None


@range_of("einops_reduce")
def _by_pattern(call: RangeCall) -> Interval:
    """Of unknown numbers of elements; extremes are elements."""
    kind, x = call.arg("reduction"), call.of("x")
    if kind in ("min", "max"):
        return x
    if kind == "mean":
        return averaged(x, None, call.fmt)
    return summed(x, None, call) if kind == "sum" else UNKNOWN


@range_of("segment")
def _segments(call: RangeCall) -> Interval:
    """Sums, means or extremes of elements, or 0 of none. Products may be of either sign, and unsorted extremes of none are the
    limits of their type."""
    name = call.op.spelled.rpartition(".")[2].lower()
    if name.endswith("prod") or (name.startswith("unsorted") and name.endswith(("min", "max"))):
        return UNKNOWN
    return summed(call.of("x"), None, call).join(call.of("x")).join(exactly(0))


@range_of("prod")
def _product(call: RangeCall) -> Interval:
    count = reduced_count(call.arg("x"), call.arg("dim"))
    found = _made(call, multiplied(_taken(call), count, call))
    return found.join(exactly(1)) if count is None else found  # the product of no numbers


@range_of("cumprod")
def _running_product(call: RangeCall) -> Interval:
    x = _taken(call)
    found = _made(call, multiplied(x, _along(call), call).join(x))
    if x.low.value >= 0:
        return found
    # Products of fewer numbers than all may be the larger ones, of either sign.
    size = max(abs(end.value) for end in (found.low, found.high))
    return between(-size, size, Origin.UNKNOWN).join(x)


def multiplied(x: Interval, count: int | None, call: RangeCall) -> Interval:
    """The product of ``count`` numbers, of at least one if the count is unknown. It reaches 0 for certain only if a factor
    does."""
    if count == 0:
        return exactly(1)
    size = absolute(x)
    most = _power(size.high.value, count, call, 1)
    origin = x.high.origin if count is not None or size.high.value <= 1 else Origin.UNKNOWN
    if x.low.value < 0:
        return between(-most, most, Origin.UNKNOWN)
    least = _power(x.low.value, count, call, -1)
    return Interval(Bound(least, x.low.origin if x.low.value == 0 else Origin.UNKNOWN), Bound(most, origin))


def _power(value: float, count: int | None, call: RangeCall, direction: int) -> float:
    """The product of so many numbers that are all at ``value``; 0 or infinite if their number is not known."""
    if value in (0, 1) or math.isinf(value):
        return value
    if count is None:
        return max(value, 1.0) if value < 1 and direction > 0 else (math.inf if direction > 0 else min(value, 0.0))
    try:
        exact = math.pow(value, count)
    except OverflowError:
        exact = math.inf
    moved = exact * (1 + direction * count * _step(call))
    return call.fmt.flushed(moved) if direction < 0 else call.fmt.above(moved)


def _step(call: RangeCall) -> float:
    return 2.0 ** (1 - call.fmt.precision)


@range_of("var", "std")
def _spread(call: RangeCall) -> Interval:
    """0 if all elements are alike; at most half of the squared distance of the extremes. Rounding the mean adds a little."""
    if _sums_whole_numbers(call):
        return UNKNOWN
    x = call.of("x")
    distance = x.high.value - x.low.value
    most = distance * distance / 2 + (_NOISE * roundoff(None, call.fmt) * absolute(x).high.value) ** 2
    if not math.isfinite(most):
        return Interval(Bound(0.0, x.origin), Bound(math.inf, x.origin))
    most = call.fmt.above(math.sqrt(most) if does(call.op, Trait.DEVIATION) else most)
    return Interval(Bound(0.0, x.origin), Bound(most, x.high.origin))


#: How much the error of a mean counts in a variance.
_NOISE: Final = 4.0


@range_of("norm")
def _length(call: RangeCall) -> Interval:
    """Range of a norm: 0 if all elements are 0. Powers may overflow to infinity or underflow to 0."""
    x, order_ = absolute(call.of("x")), call.arg("p")
    origin = call.of("x").origin if x.has_zero and not _of_probabilities(call.arg("x")) else Origin.UNKNOWN
    count = reduced_count(call.arg("x"), call.arg("dim"))
    return Interval(Bound(0.0, origin), Bound(_longest(x.high.value, count, order_, call), call.of("x").origin))


def _longest(size: float, count: int | None, p: Value, call: RangeCall) -> float:
    """The norm of ``count`` numbers of equal magnitude; for an infinite order, or one that is no number, that of order 1, which
    is an upper bound. torch adds powers of half precision up in single precision."""
    power = 2.0 if p in (None, "fro", "euclidean") else as_float(p) if isinstance(p, (int, float)) else 1.0
    if size == 0:
        return 0.0
    if count is None or power < 1 or not math.isfinite(size):
        return math.inf
    power = 1.0 if math.isinf(power) else power
    try:
        inside = math.pow(size, power) * count
    except OverflowError:
        return math.inf
    if inside > (accumulator(call.fmt) if call.op.framework == "torch" else call.fmt).largest and power != 1:
        return math.inf
    return call.fmt.above(size * math.pow(count, 1 / power) * (1 + 2 * roundoff(count, call.fmt)))


@range_of("cdist", "pairwise_distance")
def _distance(call: RangeCall) -> Interval:
    """0 between points that are alike; a little is added to differences before ``pairwise_distance`` takes their norm."""
    origin = max(call.of("x").origin, call.of("y").origin)
    return Interval(Bound(0.0, origin if call.op.kind == "cdist" else Origin.UNKNOWN), Bound(math.inf, origin))


@range_of("logsumexp")
def _log_of_sum(call: RangeCall) -> Interval:
    return _log_sum(call, reduced_count(call.arg("x"), call.arg("dim")))


@range_of("logcumsumexp")
def _running_log_of_sum(call: RangeCall) -> Interval:
    return _log_sum(call, _along(call))


def _log_sum(call: RangeCall, count: int | None) -> Interval:
    """Not below the smallest element, nor above the largest by more than the logarithm of their number."""
    x = call.of("x")
    if count == 0:
        return UNKNOWN
    most = x.high.value + math.log(count) if count else math.inf
    low = call.fmt.below(x.low.value) if math.isfinite(x.low.value) else x.low.value
    return Interval(Bound(low, x.low.origin), Bound(call.fmt.above(most), x.high.origin))


@range_of("count_nonzero")
def _count(call: RangeCall) -> Interval:
    return _counted(reduced_count(call.arg("x"), call.arg("dim")))


@range_of("bincount", "histc", "confusion_matrix")
def _counts(call: RangeCall) -> Interval:
    """How many elements fall into a class; with weights their sum."""
    weight = call.arg("weight")
    if weight is not None:
        return summed(call.ranges(weight), None, call).join(exactly(0))
    return _counted(reduced_count(call.arg("x"), None))


def _counted(most: int | None) -> Interval:
    return Interval(Bound(0.0), Bound(math.inf, Origin.INPUT) if most is None else limit(most))


@range_of("cumsum")
def _running_sum(call: RangeCall) -> Interval:
    """Of as many elements as the axis has, or of one."""
    x = _taken(call)
    return _made(call, summed(x, _along(call), call).join(x))


def _along(call: RangeCall) -> int | None:
    """The number of elements along the axis that a running reduction runs along; all of them without an axis (numpy)."""
    return reduced_count(call.arg("x"), call.arg("dim"))
