"""How steep operations are at most, where their operands lie in known ranges.

Written from the derivatives themselves, not from what :mod:`dllint.ops.ranges.hazards` says of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from dllint.domains.interval import Interval
from dllint.ir.program import Op

Ranges = Callable[[Any], Interval]

#: Operations that lay elements out, or choose among them: every element takes the gradient of at most one result.
LAYOUT: Final = frozenset({
    "view", "reshape", "flatten", "squeeze", "unsqueeze", "transpose", "permute", "t", "contiguous", "clone",
    "identity", "flip", "roll", "rot90", "getitem", "narrow", "split", "chunk", "unbind", "cat", "stack", "hstack",
    "vstack", "tril", "triu", "diagonal", "phi", "setitem", "cast", "pad",
})  # fmt: skip
#: Functions of one element that are nowhere steeper than 2.
_GENTLE: Final = frozenset({
    "neg", "abs", "sin", "cos", "tanh", "atan", "sigmoid", "relu", "relu6", "leaky_relu", "softsign", "hardtanh",
    "clamp", "erf", "erfc", "softplus", "logsigmoid", "elu", "gelu", "silu", "mish", "selu", "celu", "asinh",
    "tanhshrink", "hardsigmoid", "hardswish", "add", "sub", "maximum", "minimum", "where", "masked_fill", "deg2rad",
    "nan_to_num",
})  # fmt: skip
#: Functions of many elements that are nowhere steeper than 2 in any of them.
_GATHERING: Final = frozenset({
    "sum", "mean", "amax", "amin", "max_dim", "min_dim", "sort", "topk", "cumsum", "norm", "softmax", "log_softmax",
    "softmin", "logsumexp", "expand", "repeat", "tile", "repeat_interleave", "avg_pool", "max_pool",
})  # fmt: skip
#: Operations through which no gradient comes back.
STOPS: Final = frozenset({
    "detach", "floor", "ceil", "round", "trunc", "sign", "argmax", "argmin", "argsort", "eq", "ne", "lt", "le", "gt",
    "ge", "all", "any", "count_nonzero", "isnan", "isinf", "zeros_like", "ones_like",
})  # fmt: skip


def slope(op: Op, operand: str, ranges: Ranges) -> float:
    """The largest magnitude of the derivative of an element of a result by one of an operand; infinite if not known."""
    if op.kind in LAYOUT:
        return 1
    if op.kind in _GENTLE or op.kind in _GATHERING:
        usual = op.args.get("alpha") in (None, 1) and op.args.get("p", op.args.get("ord")) in (None, 2)
        return 2 if usual else math.inf
    steep = _STEEP.get(op.kind)
    try:
        return math.inf if steep is None else steep(op, operand, ranges)
    except (OverflowError, ZeroDivisionError, ValueError):
        return math.inf


def is_pointwise(op: Op) -> bool:
    """Whether an element of a result depends on one element of each operand."""
    return op.kind not in _GATHERING


def most(found: Interval) -> float:
    """The largest magnitude in a range."""
    return max(abs(found.low.value), abs(found.high.value))


def least(found: Interval) -> float:
    """The smallest one."""
    return max(found.low.value, -found.high.value, 0.0)


def _product(op: Op, operand: str, ranges: Ranges) -> float:
    return most(ranges(op.args["y" if operand == "x" else "x"]))


def _quotient(op: Op, operand: str, ranges: Ranges) -> float:
    divisor = least(ranges(op.args["y"]))
    return 1 / divisor if operand == "x" else most(ranges(op.args["x"])) / divisor / divisor


def _power(op: Op, operand: str, ranges: Ranges) -> float:
    exponent, x = op.args["y"], ranges(op.args["x"])
    if operand != "x" or not isinstance(exponent, int | float):
        return math.inf
    size = most(x) if exponent >= 1 else least(x)
    return abs(exponent) * size ** (exponent - 1)


def _of(function: Callable[[float], float]) -> Callable[[Op, str, Ranges], float]:
    """A derivative that grows with the magnitude of ``x``."""
    return lambda op, _, ranges: function(most(ranges(op.args["x"])))


def _above(function: Callable[[float], float]) -> Callable[[Op, str, Ranges], float]:
    """A derivative that is the steeper the nearer ``x`` is to 0."""
    return lambda op, _, ranges: function(least(ranges(op.args["x"])))


def _to_one(function: Callable[[float], float]) -> Callable[[float], float]:
    """A derivative that is infinite at 1, where so little before it rounding may take the argument there."""
    return lambda x: function(x) if x < 1 - 2**-6 else math.inf


_STEEP: Final[dict[str, Callable[[Op, str, Ranges], float]]] = {
    "mul": _product,
    "div": _quotient,
    "pow": _power,
    "square": _of(lambda x: 2 * x),
    "exp": _of(math.exp),
    "expm1": _of(math.exp),
    "exp2": _of(lambda x: 2**x),
    "sinh": _of(math.cosh),
    "cosh": _of(math.cosh),
    "log": _above(lambda x: 1 / x),
    "log2": _above(lambda x: 1.5 / x),
    "log10": _above(lambda x: 0.5 / x),
    "log1p": lambda op, _, ranges: 1 / max(ranges(op.args["x"]).low.value + 1, 0.0),
    "sqrt": _above(lambda x: 0.5 / math.sqrt(x)),
    "rsqrt": _above(lambda x: x**-1.5),
    "reciprocal": _above(lambda x: 1 / (x * x)),
    "asin": _of(_to_one(lambda x: 1 / math.sqrt(1 - x * x))),
    "acos": _of(_to_one(lambda x: 1 / math.sqrt(1 - x * x))),
    "atanh": _of(_to_one(lambda x: 1 / (1 - x * x))),
    "var": _of(lambda x: 4 * x),
}
