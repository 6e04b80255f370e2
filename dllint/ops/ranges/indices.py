"""Ranges of indices and counts: positions along axes, rows, classes, tokens."""

from __future__ import annotations

import math

from dllint.domains.dim import DimExpr
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin
from dllint.domains.shape import normalize_axis
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.ranges.reduce import reduced_count
from dllint.ops.ranges.spec import RangeCall, range_of, shape_of


def below(count: int | None, origin: Origin = Origin.DERIVED) -> Interval:
    """Indices of ``count`` elements: 0 to ``count - 1``."""
    if count is None or count < 1:
        return Interval(Bound(0.0), Bound(math.inf, Origin.UNKNOWN))
    return Interval(Bound(0.0), Bound(count - 1.0, origin))


@range_of("argmax", "argmin")
def _position_of_one(call: RangeCall) -> Interval:
    """A position along the axis, or in the whole tensor."""
    return below(reduced_count(call.arg("x"), call.arg("dim")))


@range_of("argsort")
def _order(call: RangeCall) -> Interval:
    return along(call)


def along(call: RangeCall) -> Interval:
    """A position along the axis that an operation works on, by default the last."""
    x, dim = call.arg("x"), call.arg("dim")
    if not isinstance(x, TensorVal) or not isinstance(x.shape, tuple) or not x.shape:
        return below(None)
    if dim is None and "dim" in call.op.args and call.op.framework == "numpy":
        return below(None)
    axis = normalize_axis(dim if isinstance(dim, int) else -1, len(x.shape))
    size = x.shape[axis] if axis is not None else None
    return below(size if isinstance(size, int) else None)


@range_of("randperm")
def _permuted(call: RangeCall) -> Interval:
    """The numbers below one, or the elements of an array."""
    n = call.arg("n")
    return call.of("n") if isinstance(n, TensorVal) else below(_number(n)) if isinstance(n, (int, DimExpr)) else UNKNOWN


@range_of("multinomial")
def _drawn(call: RangeCall) -> Interval:
    """A column of the weights."""
    shape = shape_of(call.arg("x"))
    return below(_number(shape[-1]) if shape else None)


@range_of("searchsorted")
def _place(call: RangeCall) -> Interval:
    """A place before, between or behind the sorted elements: one more than they are."""
    shape = shape_of(call.arg("x"))
    known = _number(shape[-1]) if shape else None
    return below(known + 1 if known is not None else None)


@range_of("lookup")
def _looked_up(call: RangeCall) -> Interval:
    """Numbers of tokens; those of a vocabulary that is only limited need not be used up."""
    return below(_number(call.arg("tokens")), _reached(call))


@range_of("text_vectors")
def _words(call: RangeCall) -> Interval:
    return below(_number(call.arg("max_tokens")), Origin.INPUT)


def _reached(call: RangeCall) -> Origin:
    return Origin.DERIVED if call.op.spelled.endswith("Hashing") else Origin.INPUT


def _number(value: Value) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
