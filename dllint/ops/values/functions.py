"""Elements of functions of one tensor, activations among them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from dllint.domains.enclosure import (
    Array,
    Enclosure,
    Format,
    UndeterminedError,
    add,
    approximate,
    chosen,
    div,
    exactly,
    less,
    mapped,
    maximum,
    minimum,
    moved,
    mul,
    neg,
    rounded,
    total,
)
from dllint.ops.values.spec import ValueCall, values_of

Rising = Callable[[Array], Array]


def _sigmoid(v: Array) -> Array:
    return np.where(v >= 0, 1 / (1 + np.exp(-np.abs(v))), np.exp(-np.abs(v)) / (1 + np.exp(-np.abs(v))))


def _rising(names: str, function: Rising, low: float, high: float, *fixed: float) -> None:
    """A function that never falls, with the numbers that it stays between, and arguments whose result every library gives
    exactly."""

    @values_of(names)
    def compute(call: ValueCall, x: Enclosure) -> Enclosure:
        return _approximated(x, mapped(x, function), call.fmt, fixed, (low, high))


def _rising_from(start: float, names: str, function: Rising, *fixed: float) -> None:
    """A function that never falls and is no number below ``start``."""

    @values_of(names)
    def compute(call: ValueCall, x: Enclosure) -> Enclosure:
        if (x.low < start).any():
            raise UndeterminedError("outside of the domain")
        return _approximated(x, mapped(x, function), call.fmt, fixed)


def _approximated(
    x: Enclosure, found: Enclosure, fmt: Format, fixed: tuple[float, ...], within: tuple[float, float] = (-np.inf, np.inf)
) -> Enclosure:
    """A function as libraries compute it: exactly at ``fixed`` arguments."""
    if fmt is None:
        raise UndeterminedError("whole numbers")
    wide = approximate(found, fmt, within)
    known = (x.low == x.high) & np.isin(x.low, fixed)
    return Enclosure(np.where(known, found.low, wide.low), np.where(known, found.high, wide.high))


_rising("exp", np.exp, 0, np.inf, 0.0, -np.inf, np.inf)
_rising("exp2", np.exp2, 0, np.inf, 0.0, -np.inf, np.inf)
_rising("expm1", np.expm1, -1, np.inf, 0.0, np.inf)
_rising("tanh", np.tanh, -1, 1, 0.0)
_rising("sigmoid expit", _sigmoid, 0, 1, 0.0)
_rising("sinh", np.sinh, -np.inf, np.inf, 0.0)
_rising("asinh arcsinh", np.arcsinh, -np.inf, np.inf, 0.0)
_rising("atan arctan", np.arctan, -math.pi / 2, math.pi / 2, 0.0)
_rising("erf", np.vectorize(math.erf, otypes=[float]), -1, 1, 0.0)
_rising_from(0, "log", np.log, 1.0, 0.0)
_rising_from(0, "log2", np.log2, 1.0, 0.0)
_rising_from(0, "log10", np.log10, 1.0, 0.0)
_rising_from(-1, "log1p", np.log1p, 0.0, -1.0)


@values_of("sqrt")
def _root(call: ValueCall, x: Enclosure) -> Enclosure:
    if (x.low < 0).any() or call.fmt is None:
        raise UndeterminedError("outside of the domain")
    return _approximated(x, mapped(x, np.sqrt), call.fmt, (0.0, 1.0, np.inf), (0.0, np.inf))


@values_of("rsqrt")
def _reciprocal_root(call: ValueCall, x: Enclosure) -> Enclosure:
    if (x.low <= 0).any():
        raise UndeterminedError("outside of the domain")
    return approximate(neg(mapped(x, lambda v: -1 / np.sqrt(v))), call.fmt)


@values_of("cos", "sin")
def _wave(call: ValueCall, x: Enclosure) -> Enclosure:
    """Of numbers that are known but for rounding: it moves by no more than its argument does."""
    function, middle = (np.cos if call.op.kind == "cos" else np.sin), (x.low + x.high) / 2
    if call.fmt is None or not np.isfinite(middle).all():
        raise UndeterminedError("infinite")
    reach = x.high - middle
    found = function(middle)
    return _approximated(x, Enclosure(found - reach, found + reach), call.fmt, (0.0,), (-1.0, 1.0))


@values_of("floor", "ceil", "trunc fix", "round around rint")
def _stepped(call: ValueCall, x: Enclosure) -> Enclosure:
    function: Rising = getattr(np, call.op.kind)
    return mapped(x, function)


@values_of("sign sgn")
def _sign(call: ValueCall, x: Enclosure) -> Enclosure:
    return mapped(x, np.sign)


# --- activations ----------------------------------------------------------------------------------------------------------

_ZERO: Final = exactly(0.0)


@values_of("relu")
def _rectified(call: ValueCall, x: Enclosure) -> Enclosure:
    return maximum(x, _ZERO)


@values_of("relu6")
def _limited(call: ValueCall, x: Enclosure) -> Enclosure:
    return minimum(maximum(x, _ZERO), exactly(6.0))


@values_of("hardtanh hard_tanh")
def _hard(call: ValueCall, x: Enclosure, min_val: float = -1.0, max_val: float = 1.0) -> Enclosure:
    return minimum(maximum(x, exactly(min_val)), exactly(max_val))


@values_of("leaky_relu")
def _leaky(call: ValueCall, x: Enclosure, negative_slope: float = 0.01, alpha: float | None = None) -> Enclosure:
    if call.op.framework != "torch" or alpha is not None:
        raise UndeterminedError("slope")
    below = approximate(mul(x, exactly(negative_slope), call.fmt), call.fmt)
    return chosen(less(_ZERO, x), x, below)


@values_of("softplus")
def _soft(call: ValueCall, x: Enclosure, beta: float = 1, threshold: float = 20) -> Enclosure:
    if beta != 1 or threshold != 20:
        raise UndeterminedError("sharpness")
    found = mapped(x, lambda v: np.logaddexp(0.0, v))
    linear = Enclosure(np.minimum(found.low, x.low), found.high)
    return approximate(chosen(less(exactly(20.0), x), linear, found), call.fmt, (0.0, np.inf))


@values_of("elu")
def _exponential_unit(call: ValueCall, x: Enclosure, alpha: float = 1.0) -> Enclosure:
    if alpha != 1:
        raise UndeterminedError("scale")
    below = approximate(mapped(minimum(x, _ZERO), np.expm1), call.fmt, (-1.0, 0.0))
    if call.op.framework != "torch" and call.fmt is not None:  # computed as exp(x) - 1
        below = minimum(moved(below, 2.0 ** (2 - call.fmt.precision), call.fmt), _ZERO)
    return chosen(less(_ZERO, x), x, below)


@values_of("silu swish")
def _gated(call: ValueCall, x: Enclosure, beta: float = 1.0) -> Enclosure:
    if beta != 1:
        raise UndeterminedError("sharpness")
    gate = approximate(mapped(x, _sigmoid), call.fmt, (0.0, 1.0))
    return approximate(mul(x, gate, call.fmt), call.fmt)


@values_of("softmax")
def _probabilities(call: ValueCall, x: Enclosure, dim: int | None = None) -> Enclosure:
    """Each is smallest where its own score is low and the others are high."""
    axis = _axis(x, -1 if dim is None and call.op.framework == "tensorflow" else dim)
    if not (np.isfinite(x.low).all() and np.isfinite(x.high).all()):
        raise UndeterminedError("infinite")
    peak = exactly(x.high.max(axis=axis, keepdims=True))
    scores = mapped(Enclosure(x.low - peak.low, x.high - peak.high), np.exp)
    others = total(scores, (axis,), True, call.fmt)
    low = scores.low / (scores.low + np.maximum(others.high - scores.high, 0))
    high = scores.high / (scores.high + np.maximum(others.low - scores.low, 0))
    return approximate(_with_error(Enclosure(low, high), x.shape[axis], call.fmt), call.fmt, (0.0, 1.0))


def _with_error(x: Enclosure, count: int, fmt: Format) -> Enclosure:
    """The relative error of a sum, and of subtracting the maximum from scores of a few hundreds."""
    error = 0.0 if fmt is None else (count + 2.0**9) * 2.0**-fmt.precision
    return Enclosure(x.low * (1 - error), x.high * (1 + error))


def _axis(x: Enclosure, dim: int | None) -> int:
    if dim is None:
        raise UndeterminedError("dim")
    return range(len(x.shape))[dim]


@values_of("dropout")
def _kept(call: ValueCall, x: Enclosure, p: float = 0.5, training: bool = True) -> Enclosure:
    """Elements are set to 0 at random while something is trained."""
    if training and p != 0:
        raise UndeterminedError("random")
    return x


@values_of("normalize")
def _unit(call: ValueCall, x: Enclosure, p: float = 2, dim: int = 1, eps: float = 1e-12) -> Enclosure:
    if p != 2 or call.op.framework != "torch":
        raise UndeterminedError("norm")
    squares = total(mul(x, x, call.fmt), (_axis(x, dim),), True, call.fmt)
    length = maximum(approximate(mapped(maximum(squares, _ZERO), np.sqrt), call.fmt), exactly(eps))
    return approximate(div(x, length, call.fmt), call.fmt)


@values_of("logsigmoid log_sigmoid")
def _log_of_sigmoid(call: ValueCall, x: Enclosure) -> Enclosure:
    return approximate(mapped(x, lambda v: -np.logaddexp(0.0, -v)), call.fmt, (-np.inf, 0.0))


@values_of("log_softmax")
def _log_probabilities(call: ValueCall, x: Enclosure, dim: int | None = None) -> Enclosure:
    axis = _axis(x, dim)
    sums = mapped(x, lambda v: np.logaddexp.reduce(v, axis=axis, keepdims=True))
    found = add(x, neg(sums), call.fmt)
    error = np.maximum(np.abs(x.low), np.abs(x.high)).max() * 2.0**-20 + 2.0**-18
    return rounded(Enclosure(found.low - error, np.minimum(found.high + error, 0.0)), call.fmt)
