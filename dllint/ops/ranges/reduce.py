"""Ranges of reductions and of products of matrices."""

from __future__ import annotations

import math
from typing import Any, Final

from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, exactly, unbounded
from dllint.domains.interval_arithmetic import add, mul
from dllint.domains.shape import normalize_axis
from dllint.ir.program import TensorVal
from dllint.ops.ranges import order
from dllint.ops.ranges.spec import MOVES, RangeCall, laid_out, range_of


@range_of("sum", "nansum")
def _sum(call: RangeCall) -> Interval:
    x = call.arg("x")
    found = summed(call.of("x"), reduced_count(x, call.arg("dim")), call)
    maker = laid_out(x).producer if isinstance(x, TensorVal) else None
    if maker is None:
        return found
    if maker.kind == "exp" and order.is_shifted(maker.args.get("x"), call.arg("dim")):
        return Interval(Bound(1.0), found.high)
    return Interval(Bound(found.low.value, Origin.UNKNOWN), found.high) if _of_probabilities(x) else found


def _of_probabilities(value: Any, depth: int = 4) -> bool:
    """Whether numbers are made of probabilities, which are not all 0 together."""
    maker = laid_out(value).producer if isinstance(value, TensorVal) else None
    if maker is None or depth == 0:
        return False
    if maker.kind in ("softmax", "sigmoid"):
        return True
    if maker.kind in MOVES:
        return _of_probabilities(maker.args.get("x"), depth - 1)
    return maker.kind in ("mul", "add", "dropout") and any(_of_probabilities(v, depth - 1) for v in maker.inputs)


def reduced_count(x: Any, dim: Any) -> int | None:
    """How many elements are reduced to one, if that is known."""
    if not isinstance(x, TensorVal) or not isinstance(x.shape, tuple):
        return None
    axes = range(len(x.shape)) if dim is None else dim if isinstance(dim, tuple) else (dim,)
    places = [normalize_axis(axis, len(x.shape)) if isinstance(axis, int) else None for axis in axes]
    sizes = [x.shape[place] if place is not None else None for place in places]
    known = [size for size in sizes if isinstance(size, int)]
    return math.prod(known) if len(known) == len(sizes) else None


def summed(x: Interval, count: int | None, call: RangeCall) -> Interval:
    """The sum of at least one number, ``count`` ones if that is known."""
    if count == 0:
        return exactly(0)
    return Interval(_total(x.low, count, call, -math.inf), _total(x.high, count, call, math.inf), _one_sign(x))


def _one_sign(x: Interval) -> bool:
    return not x.has_zero and (x.low.value >= 0 or x.high.value <= 0)


def _total(end: Bound, count: int | None, call: RangeCall, outermost: float) -> Bound:
    """An end of a sum: each summand moves it outwards, so that the number of summands matters, or not at all."""
    outwards = end.value * outermost > 0
    if count is not None:
        return Bound(call.fmt.round(end.value * count), end.origin, end.closed)
    return Bound(outermost, max(end.origin, Origin.INPUT)) if outwards else end


@range_of("prod")
def _product(call: RangeCall) -> Interval:
    x = call.of("x")
    if x.low.value < 0:
        return UNKNOWN
    return Interval(Bound(0.0, x.low.origin if x.low.value == 0 else Origin.UNKNOWN), UNKNOWN.high)


@range_of("std", "var", "norm", "cdist")
def _spread(call: RangeCall) -> Interval:
    """0 if all elements are alike (or all 0); nothing is known above."""
    x = call.of("x")
    origin = x.origin if call.op.kind != "norm" or x.has_zero else Origin.UNKNOWN
    return Interval(Bound(0.0, origin, call.op.kind != "norm" or x.has_zero), Bound(math.inf, x.origin))


@range_of("logsumexp")
def _log_of_sum(call: RangeCall) -> Interval:
    return Interval(call.of("x").low, Bound(math.inf, call.of("x").high.origin))


@range_of("count_nonzero", "bincount")
def _count(call: RangeCall) -> Interval:
    return Interval(Bound(0.0), Bound(math.inf, Origin.INPUT))


@range_of("cumsum")
def _running_sum(call: RangeCall) -> Interval:
    return summed(call.of("x"), None, call)


_ANYTHING: Final = unbounded(Origin.TRAINED)
_OPERANDS: Final = {"addmm": ("mat1", "mat2"), "baddbmm": ("batch1", "batch2")}


@range_of("matmul", "mm", "bmm", "mv", "dot", "np_dot", "tensordot", "batch_dot", "addmm", "baddbmm")
def _matrix_product(call: RangeCall) -> Interval:
    """A product with trained numbers may be anything; a product of non-negative ones is not negative."""
    first, second = _OPERANDS.get(call.op.kind, ("x", "y"))
    found = contracted(call.of(first), call.of(second), call)
    return add(call.of("x"), found, call.fmt) if call.op.kind in _OPERANDS else found


def contracted(x: Interval, y: Interval, call: RangeCall) -> Interval:
    """Sums of products."""
    if any(trained(operand) for operand in (x, y)):
        return unbounded(Origin.TRAINED)
    return summed(mul(x, y, call.fmt), None, call)


def trained(x: Interval) -> bool:
    """Whether numbers may be anything because they are trained."""
    return x.low == _ANYTHING.low and x.high == _ANYTHING.high


@range_of("outer", "kron")
def _all_products(call: RangeCall) -> Interval:
    return mul(call.of("x"), call.of("y"), call.fmt)


@range_of("einsum")
def _named_axes(call: RangeCall) -> Interval:
    operands = [call.ranges(value) for value in call.op.inputs]
    if not operands or any(trained(x) for x in operands):
        return unbounded(Origin.TRAINED) if operands else UNKNOWN
    found = operands[0]
    for other in operands[1:]:
        found = mul(found, other, call.fmt)
    return summed(found, None, call)
