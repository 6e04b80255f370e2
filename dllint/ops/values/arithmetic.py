"""Elements of sums, products, comparisons and selections."""

from __future__ import annotations

import numpy as np

from dllint.domains.dtype import DType
from dllint.domains.enclosure import (
    Array,
    Enclosure,
    UndeterminedError,
    absolute,
    add,
    approximate,
    chosen,
    corners,
    div,
    equal,
    exactly,
    hull,
    inverted,
    less,
    mapped,
    maximum,
    minimum,
    mul,
    neg,
    rounded,
    square,
    sub,
    truth_of,
)
from dllint.ir.program import TensorVal
from dllint.ops.values.spec import ValueCall, format_named, values_of


@values_of("add")
def _sum(call: ValueCall, x: Enclosure, y: Enclosure, alpha: float = 1) -> Enclosure:
    return add(x, _scaled(y, alpha), call.fmt)


@values_of("sub subtract")
def _difference(call: ValueCall, x: Enclosure, y: Enclosure, alpha: float = 1) -> Enclosure:
    return sub(x, _scaled(y, alpha), call.fmt)


def _scaled(y: Enclosure, alpha: float) -> Enclosure:
    if alpha != 1:
        raise UndeterminedError("whether the product is rounded differs")
    return y


@values_of("mul multiply scalar_mul")
def _product(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    same = call.op.args.get("x") is call.op.args.get("y")
    return square(x, call.fmt) if same else mul(x, y, call.fmt)


@values_of("div divide true_divide truediv")
def _quotient(call: ValueCall, x: Enclosure, y: Enclosure, rounding_mode: str | None = None) -> Enclosure:
    if rounding_mode is not None or call.fmt is None:
        raise UndeterminedError("rounding_mode")
    found = div(x, y, call.fmt)
    if call.op.framework == "torch" and not isinstance(call.op.args.get("x"), TensorVal):
        # Of a number torch multiplies by the reciprocal.
        return hull((found, mul(div(exactly(1.0), y, call.fmt), x, call.fmt)))
    return found


@values_of("floor_divide floordiv")
def _floored(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    if call.fmt is not None or not np.all(y.numbers):
        raise UndeterminedError("rounding")
    return exactly(np.floor_divide(x.numbers, y.numbers))


@values_of("remainder", "mod remainder floormod")
def _remainder(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    """Of the divisor's sign; of floating-point numbers it is exact."""
    if not np.all(y.numbers):
        raise UndeterminedError("a remainder by 0")
    return exactly(np.mod(x.numbers, y.numbers))


@values_of("pow power rpow")
def _power(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    """Powers of numbers that are not negative, which are extreme where both operands are, and whole powers of any."""
    exponent = y.low if y.exact and y.low.ndim == 0 else None
    if exponent == 2:
        found = square(x, call.fmt)
        return found if call.op.framework in ("torch", "numpy") else approximate(found, call.fmt)
    if exponent == 1:
        return rounded(x, call.fmt)
    if (x.low < 0).any():
        return _whole_power(call, x, y.numbers)
    if ((x.low == 0) & (y.low <= 0)).any() or (call.fmt is None and not (y.exact and (y.low == np.round(y.low)).all())):
        raise UndeterminedError("powers of 0, or fractional ones of whole numbers")
    found = approximate(hull(corners(x, given, np.power) for given in _readings(call)), call.fmt)
    return _with_trivial_powers(found, x, y) if call.op.framework == "torch" else found


def _with_trivial_powers(found: Enclosure, x: Enclosure, y: Enclosure) -> Enclosure:
    """With first and zeroth powers of exact numbers, which torch does not round (2.13, run; numpy's first ones are off at
    times)."""
    known = (x.low == x.high) & (y.low == y.high)
    first, zeroth = known & (y.low == 1), known & (y.low == 0)
    low, high = (np.where(first, x.low, np.where(zeroth, 1.0, end)) for end in (found.low, found.high))
    return Enclosure(low, high)


def _readings(call: ValueCall) -> list[Enclosure]:
    """The exponent as it is written, and as it is rounded to the format that libraries may take it in."""
    given = call.op.args["y"]
    if isinstance(given, TensorVal):
        return [call.number(given)]
    return [exactly(call.known(given)), call.number(given)]


def _whole_power(call: ValueCall, x: Enclosure, exponent: Array) -> Enclosure:
    if exponent.ndim or exponent != np.round(exponent) or exponent < 0 or not x.exact:
        raise UndeterminedError("powers of negative numbers")
    return approximate(mapped(x, lambda v: np.power(v, exponent)), call.fmt)


@values_of("maximum")
def _larger(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return maximum(x, y)


@values_of("minimum")
def _smaller(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return minimum(x, y)


@values_of("clamp clip clip_by_value clamp_min clamp_max")
def _clamped(call: ValueCall, x: Enclosure, min: Enclosure | None = None, max: Enclosure | None = None) -> Enclosure:
    limits = [(end, limited) for end, limited in ((min, maximum), (max, minimum)) if end is not None]
    for end, limited in reversed(limits) if call.op.framework == "tensorflow" else limits:
        x = limited(x, _limit(call, end))
    return x


def _limit(call: ValueCall, end: Enclosure) -> Enclosure:
    """A limit that elements of the result's type can hold; others become any number."""
    dtype = call.op.output.dtype
    if isinstance(dtype, DType) and dtype.kind == "int":
        largest = 2.0 ** (dtype.bits - dtype.signed)
        if np.any(end.low < -largest * dtype.signed) or np.any(end.high >= largest):
            raise UndeterminedError("a limit that does not fit")
    return end


@values_of("lerp")
def _between(call: ValueCall, x: Enclosure, y: Enclosure, weight: Enclosure) -> Enclosure:
    """``x + weight * (y - x)``, computed from either end."""
    step = mul(weight, sub(y, x, call.fmt), call.fmt)
    back = mul(sub(exactly(1.0), weight, call.fmt), sub(y, x, call.fmt), call.fmt)
    return approximate(hull((add(x, step, call.fmt), sub(y, back, call.fmt))), call.fmt)


@values_of("where")
def _chosen(call: ValueCall, condition: Enclosure, x: Enclosure, y: Enclosure) -> Enclosure:
    return chosen(truth_of(condition), x, y)


@values_of("masked_fill")
def _filled(call: ValueCall, x: Enclosure, mask: Enclosure, value: Enclosure | None = None) -> Enclosure:
    return chosen(truth_of(mask), exactly(0.0) if value is None else value, x)


@values_of("lt less")
def _less(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return less(x, y)


@values_of("gt greater")
def _greater(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return less(y, x)


@values_of("le less_equal")
def _at_most(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return inverted(less(y, x))


@values_of("ge greater_equal")
def _at_least(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return inverted(less(x, y))


@values_of("eq equal")
def _alike(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return equal(x, y)


@values_of("ne not_equal")
def _different(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    return inverted(equal(x, y))


@values_of("logical_and and", "bitwise_and and")
def _both(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    _only_truths(call)
    return minimum(truth_of(x), truth_of(y))


@values_of("logical_or or", "bitwise_or or")
def _either(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    _only_truths(call)
    return maximum(truth_of(x), truth_of(y))


@values_of("logical_xor xor", "bitwise_xor xor")
def _one_of(call: ValueCall, x: Enclosure, y: Enclosure) -> Enclosure:
    _only_truths(call)
    first, second = truth_of(x), truth_of(y)
    return sub(maximum(first, second), minimum(first, second), None)


@values_of("logical_not not", "bitwise_not invert")
def _not(call: ValueCall, x: Enclosure) -> Enclosure:
    _only_truths(call)
    return inverted(truth_of(x))


def _only_truths(call: ValueCall) -> None:
    if getattr(call.op.output.dtype, "kind", "") != "bool":
        raise UndeterminedError("bits")


@values_of("neg negative")
def _negated(call: ValueCall, x: Enclosure) -> Enclosure:
    return neg(x)


@values_of("abs absolute fabs")
def _magnitude(call: ValueCall, x: Enclosure) -> Enclosure:
    return absolute(x)


@values_of("square")
def _squared(call: ValueCall, x: Enclosure) -> Enclosure:
    return square(x, call.fmt)


@values_of("reciprocal")
def _reciprocal(call: ValueCall, x: Enclosure) -> Enclosure:
    return approximate(div(exactly(1.0), x, call.fmt), call.fmt)


@values_of(
    "cast astype to float double int long bool type type_as float32 float64 int32 int64 asarray array tensor convert_to_tensor"
)
def _cast(call: ValueCall, x: Enclosure) -> Enclosure:
    """Whole numbers lose what stands behind the point."""
    dtype = call.op.output.dtype
    kind = dtype.kind if isinstance(dtype, DType) else ""
    if kind == "bool":
        return truth_of(x)
    if kind == "int":
        if not (np.isfinite(x.low).all() and np.isfinite(x.high).all()):
            raise UndeterminedError("infinite")
        return rounded(mapped(x, np.trunc), None)
    return rounded(x, format_named(dtype))
