"""Numbers: ``int``, ``float``, ``abs``, ``min``, ``max``, ``round``, ``divmod``, the ``math`` module, number methods."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.dim import Dim, DimExpr, counted, maximum, may_fall, minimum, opaque, product
from dllint.domains.lattice import Unknown, UnknownFloat, UnknownResult
from dllint.domains.unsolved import unsolved
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, Value, unwrap
from dllint.lower import arguments as arguments_
from dllint.lower import bulk, comparisons, exceptions, operators
from dllint.lower.arguments import as_dim
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.native import Method, native
from dllint.lower.natives.sequences import listed
from dllint.lower.strings import constant

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Raises, Takes

NUMBER = (int, float)


@native("math.floor")
def _floor(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    known = isinstance(value, NUMBER) and math.isfinite(value)
    if known and isinstance(value, NUMBER):
        return math.floor(value)
    found = _between_alike(m, value, math.floor)
    return _int(m, None, arguments) if found is None else found


@native("builtins.int", "math.trunc")
def _int(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    base = argument(arguments, 1, "base", default=10)
    if isinstance(base, Unknown) or base != 10:
        return _in_base(m, argument(arguments, 0, default=0), base)
    value = as_dim(m, argument(arguments, 0, default=0), surely=True)
    if isinstance(value, DimExpr):
        return value
    if isinstance(value, (int, float, str)):
        try:
            return int(value)
        except (ValueError, OverflowError) as error:
            exceptions.raise_builtin(m, type(error).__name__)
            return Unknown("arithmetic", "int")
    if isinstance(value, TensorVal) and isinstance(value.data, (int, float)):
        return int(value.data)
    known = _between_alike(m, value, math.trunc)
    if known is not None:
        return known
    if _may_be_cast(value):
        return Unknown("unmodelled-call", "int of a tensor in a graph")
    if _is_element(value):
        return counted("int", _LEAST)
    if isinstance(value, Unknown) and value.reason in _FROM_LIBRARIES:  # of a library, whose numbers may be of any sign
        return m.derive(("int", id(value)), lambda: counted("int", _LEAST), value)
    if isinstance(value, Unknown):
        return m.derive(("int", id(value)), lambda: _whole_part("int", value), value)
    return opaque("int")


def _taken_out(m: Machine, value: Value) -> Value:
    """The number that a tensor of one element holds, if it is computed of written numbers; any other value itself."""
    if not isinstance(value, TensorVal):
        return value
    found = m.elements(value)
    while isinstance(found, tuple) and len(found) == 1:
        found = found[0]
    return found if isinstance(found, (int, float, UnknownFloat)) else value


def _between_alike(m: Machine, value: Value, whole: Callable[[float], int]) -> int | None:
    """The whole number that ``whole`` makes of a number, where it is the same for all that the number may be."""
    found = _taken_out(m, value)
    if isinstance(found, NUMBER):
        return whole(found) if math.isfinite(found) else None
    if not isinstance(found, UnknownFloat) or found.low is None or found.high is None:
        return None
    if not math.isfinite(found.low) or not math.isfinite(found.high):
        return None
    ends = {whole(found.low), whole(found.high)}
    return ends.pop() if len(ends) == 1 else None


def _whole_part(name: str, value: Value) -> DimExpr:
    """The whole part of a number that is not known: of one that was computed (``0.8 * len(rows)``), a count of data."""
    return counted(name) if isinstance(value, UnknownFloat) else opaque(name)


def _may_be_cast(value: Value) -> bool:
    """Whether a tensor may get another type as a whole: in functions that TensorFlow traces (``tf.function``, ``Dataset.map``,
    ``call`` of layers), AutoGraph makes ``int`` and ``float`` casts, of tensors with axes, too (run in TensorFlow 2.21)."""
    return isinstance(value, TensorVal) and value.framework in ("tensorflow", "keras") and value.type.rank != 0


def _is_element(value: Value) -> bool:
    """Whether a number is one of a tensor, which may be negative."""
    if isinstance(value, DimExpr):
        return may_fall(value)
    return isinstance(value, TensorVal) or (isinstance(value, Unknown) and value.reason in _ELEMENTS)


#: Reasons of unknown results of functions that are not followed, and of their methods.
_FROM_LIBRARIES: Final = frozenset({"unmodelled-call", "unknown-callee"})
#: Reasons of unknown elements.
_ELEMENTS: Final = frozenset({"tensor-element", "element"})
_LEAST: Final = -(2**63)


def _in_base(m: Raises, digits: Value, base: Value) -> Value:
    """``int("101", 2)``."""
    if not isinstance(digits, str) or not isinstance(base, int):
        return opaque("int")
    try:
        return int(digits, base)
    except ValueError:
        exceptions.raise_builtin(m, "ValueError")
        return Unknown("arithmetic", "int")


@native("builtins.float")
def _float(m: Takes, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default=0.0)
    if isinstance(value, (int, float, str)):
        try:
            return float(value)
        except (ValueError, OverflowError) as error:
            exceptions.raise_builtin(m, type(error).__name__)
            return Unknown("arithmetic", "float")
    found = _taken_out(m, value)
    if isinstance(found, (int, float, UnknownFloat)):
        return found if isinstance(found, UnknownFloat) else float(found)
    if _may_be_cast(value):
        return Unknown("unmodelled-call", "float of a tensor in a graph")
    return UnknownFloat("tensor-element" if _is_element(value) else "unknown-number", "float")


@native("builtins.bool")
def _bool(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default=False)
    decided = m.truth(value)
    return decided if decided is not None else m.derive(("bool", id(value)), lambda: Unknown("undecided", "bool"), value)


@native("math.fabs")
def _fabs(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _float(m, None, Arguments((_abs(m, None, arguments),)))


@native("builtins.abs")
def _abs(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, TensorVal):
        return m.emit("abs", {"x": value}, framework=value.framework, spelled="builtins.abs")
    if isinstance(value, NUMBER):
        return abs(value)
    return value if m.truth(comparisons.compare(m, "ge", value, 0)) else Unknown("unknown-number", "abs")


def _extreme(
    m: Interpreter, arguments: Arguments, dims: Callable[[Dim, Dim], Dim], plain: Callable[..., int], op: str
) -> Value:
    values = given(arguments)
    if len(values) == 1:
        if isinstance(values[0], TensorVal):
            return m.emit(
                op, {"x": values[0], "dim": None}, framework=values[0].framework, spelled="builtins." + plain.__name__
            )
        values, rest = listed(m, values[0])
        values = [unwrap(v) for v in values]
        if rest is not None:
            return _extreme_of_many(m, values, rest, plain)
    if arguments.star is not None or arguments.double_star is not None:
        return Unknown("unknown-number", plain.__name__)
    if not values:
        if "default" not in arguments.kwargs:
            exceptions.raise_builtin(m, "ValueError")
        return arguments.kwargs.get("default", Unknown("empty-iterable"))
    key = unwrap(arguments.kwargs.get("key"))
    if key is not None:
        return _by_key(m, values, [m.call(key, Arguments((value,))) for value in values], plain)
    values = [as_dim(m, v) for v in values]
    if len(values) == 1:
        return values[0]
    if (keys := _constants(values)) is not None:
        return _first_extreme(m, values, keys, plain)
    sizes = [v for v in values if isinstance(v, (int, DimExpr))]
    if len(sizes) == len(values):
        return reduce(dims, sizes)
    made = arguments_.arithmetic(m, plain.__name__, tuple(values), lambda *v: _extreme(m, Arguments(v), dims, plain, op))
    return made or Unknown("unknown-number", plain.__name__)


def _extreme_of_many(m: Machine, values: list[Value], rest: Value, plain: Callable[..., int]) -> Value:
    """The minimum or maximum of so many unknown values: one of them, so that a write to the result reaches each."""
    if isinstance(rest, (int, DimExpr)):
        return unsolved(plain.__name__, (rest, *(v for v in values if isinstance(v, (int, DimExpr)))))
    if isinstance(unwrap(rest), (InstanceVal, tuple)):
        return reduce(m.join, [*values, rest])
    return Unknown("unknown-number", plain.__name__)


def _by_key(m: Interpreter, values: list[Value], keys: list[Value], plain: Callable[..., int]) -> Value:
    known = _constants(keys)
    return reduce(m.join, values) if known is None else _first_extreme(m, values, known, plain)


def _constants(values: list[Value]) -> list[object] | None:
    try:
        return list(constant(tuple(values)))
    except TypeError:
        return None


def _first_extreme(m: Raises, values: list[Value], keys: list[object], plain: Callable[..., int]) -> Value:
    """The first value whose key is the least or the greatest."""
    try:
        return values[plain(range(len(keys)), key=keys.__getitem__)]
    except TypeError:
        exceptions.raise_builtin(m, "TypeError")
        return Unknown("unknown-number", plain.__name__)


@native("builtins.min")
def _min(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _extreme(m, arguments, minimum, min, "amin")


@native("builtins.max")
def _max(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _extreme(m, arguments, maximum, max, "amax")


@native("builtins.round")
def _round(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value, digits = argument(arguments, 0), argument(arguments, 1, "ndigits")
    if isinstance(digits, int) and bulk.is_large_number("round", value, digits):
        return Unknown("large-number")
    if isinstance(value, NUMBER) and (digits is None or isinstance(digits, int)) and math.isfinite(value):
        return round(value, digits) if digits is not None else round(value)
    if digits is None and isinstance(value, UnknownFloat) and (known := _between_alike(m, value, round)) is not None:
        return known
    if digits is None and _is_element(value) and isinstance(value, UnknownFloat):
        return counted("round", _LEAST)
    if isinstance(value, UnknownFloat) and digits is None:
        return m.derive(("round", id(value)), lambda: counted("round"), value)
    if isinstance(value, UnknownResult) and digits is None:
        again = arguments_.arithmetic(m, "round", (value,), lambda number: _round(m, None, Arguments((number,))))
        return again or Unknown("unknown-number", "round")
    return value if isinstance(value, (DimExpr, Unknown)) else Unknown("unknown-number", "round")


@native("builtins.divmod")
def _divmod(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    a, b = argument(arguments, 0), argument(arguments, 1)
    return operators.binary(m, cst.FloorDivide, a, b), operators.binary(m, cst.Modulo, a, b)


@native("builtins.pow", "operator.pow")
def _pow(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    base, exponent, divisor = (argument(arguments, place, name) for place, name in enumerate(("base", "exp", "mod")))
    if divisor is None:
        return operators.binary(m, cst.Power, base, exponent)
    if not isinstance(base, int) or not isinstance(exponent, int) or not isinstance(divisor, int):
        return opaque("pow")
    if bulk.is_large_number("modular power", base, exponent, divisor):
        return opaque("pow")
    try:
        return pow(base, exponent, divisor)
    except ValueError:
        exceptions.raise_builtin(m, "ValueError")
        return Unknown("arithmetic", "pow")


@native("math.pow")
def _float_pow(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    power = operators.binary(m, cst.Power, argument(arguments, 0), argument(arguments, 1))
    return float(power) if isinstance(power, NUMBER) else UnknownFloat("unknown-number", "pow")


@native("math.prod")
def _prod(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    factors = [as_dim(m, unwrap(v)) for v in items]
    sizes = [v for v in factors if isinstance(v, (int, DimExpr))]
    numbers = [v for v in factors if isinstance(v, NUMBER)]
    if rest is not None or len(arguments.args) > 1 or arguments.kwargs or arguments.double_star is not None:
        return Unknown("unknown-number", "prod")
    if len(sizes) == len(factors):
        return product(sizes)
    is_computed = len(numbers) == len(factors) and not bulk.is_large_number("prod", *numbers)
    return math.prod(numbers) if is_computed else Unknown("unknown-number", "prod")


@native("math.ceil")
def _ceil(m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, NUMBER) and math.isfinite(value):
        return math.ceil(value)
    if isinstance(value, DimExpr):
        return value
    if (found := _between_alike(m, value, math.ceil)) is not None:
        return found
    return counted("ceil", _LEAST) if _is_element(value) else _whole_part("ceil", value)


#: Functions that give no number with a point.
_TESTS: Final = frozenset({"isnan", "isinf", "isfinite", "isclose"})
_WHOLE: Final = frozenset({"gcd", "lcm", "isqrt", "comb", "perm", "factorial"})


def _calculator(name: str) -> Method[Value]:
    function = getattr(math, name)

    def calculate(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
        values = given(arguments)
        if not all(isinstance(v, NUMBER) for v in values):
            if not all(map(arguments_.may_be_number, values)) or name in _TESTS:
                return Unknown("unknown-number", name)
            return opaque(name) if name in _WHOLE else UnknownFloat("unknown-number", name)
        if bulk.is_large_number(name, *values):
            return opaque(name)
        try:
            result: Value = function(*values, **{key: unwrap(value) for key, value in arguments.kwargs.items()})
            return result
        except (ValueError, TypeError, OverflowError) as error:
            exceptions.raise_builtin(m, type(error).__name__)
            return Unknown("arithmetic", name)

    return calculate


for _name in (
    "sqrt", "exp", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "atan", "atan2", "tanh", "gcd", "isqrt",
    "isnan", "isinf", "isclose",
    "erf", "comb", "perm", "factorial", "lcm", "degrees", "radians", "hypot", "fmod", "copysign", "isfinite", "expm1", "asin",
    "acos", "sinh", "cosh", "cbrt", "exp2", "dist", "remainder",
):  # fmt: skip
    native(f"math.{_name}")(_calculator(_name))


_OPERATORS = {
    "add": cst.Add, "sub": cst.Subtract, "mul": cst.Multiply, "truediv": cst.Divide, "floordiv": cst.FloorDivide,
    "mod": cst.Modulo, "xor": cst.BitXor, "lshift": cst.LeftShift, "rshift": cst.RightShift,
    "matmul": cst.MatrixMultiply, "and_": cst.BitAnd, "or_": cst.BitOr,
}  # fmt: skip


def _operator(kind: type) -> Method[Value]:
    return lambda m, _receiver, arguments: operators.binary(m, kind, argument(arguments, 0), argument(arguments, 1))


for _name, _kind in _OPERATORS.items():
    native(f"operator.{_name}")(_operator(_kind))


@native("builtins.int.item", "builtins.float.item")
def _number_method(_m: Machine, receiver: Value, _arguments: Arguments) -> Value:
    return receiver if isinstance(receiver, NUMBER) else Unknown("unknown-number")


@native("builtins.int.bit_length")
def _bit_length(_m: Machine, receiver: Value, _arguments: Arguments) -> Value:
    return receiver.bit_length() if isinstance(receiver, int) else opaque("bits")


@native("builtins.float.is_integer")
def _is_integer(_m: Machine, receiver: Value, _arguments: Arguments) -> Value:
    return receiver.is_integer() if isinstance(receiver, float) else Unknown("undecided", "is_integer")


@native("builtins.hash", "builtins.id")
def _identity(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("identity")


@native("builtins.complex")
def _complex(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    real, imaginary = argument(arguments, 0, "real", 0), argument(arguments, 1, "imag", 0)
    if not isinstance(real, (int, float, complex)) or not isinstance(imaginary, (int, float, complex)):
        return Unknown("unknown-number", "complex")
    return complex(real, imaginary)
