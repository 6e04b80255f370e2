"""Numbers: ``int``, ``float``, ``abs``, ``min``, ``max``, ``round``, ``divmod``, the ``math`` module, number methods."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import libcst as cst

from dllint.domains.dim import DimExpr, maximum, minimum, product
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.frameworks.machine import HANDLERS, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.lower import comparisons, exceptions, operators
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.sequences import listed

NUMBER = (int, float)


@handler("builtins.int", "math.floor", "math.trunc")
def _int(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = m.as_dim(argument(arguments, 0, default=0), surely=True)
    if isinstance(value, DimExpr):
        return value
    if isinstance(value, (int, float, str)):
        try:
            return int(value) if not isinstance(value, float) else math.floor(value) if value >= 0 else int(value)
        except (ValueError, OverflowError) as error:
            exceptions.raise_builtin(m, type(error).__name__)
            return Unknown("arithmetic", "int")
    if isinstance(value, TensorVal) and isinstance(value.data, (int, float)):
        return int(value.data)
    if isinstance(value, Unknown):
        return m.derive(("int", id(value)), lambda: m.fresh_size("int"), value)
    return m.fresh_size("int")


@handler("builtins.float")
def _float(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default=0.0)
    if isinstance(value, (int, float, str)):
        try:
            return float(value)
        except (ValueError, OverflowError) as error:
            exceptions.raise_builtin(m, type(error).__name__)
            return Unknown("arithmetic", "float")
    return value if isinstance(value, (UnknownFloat, DimExpr)) else UnknownFloat("unknown-number", "float")


@handler("builtins.bool")
def _bool(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default=False)
    decided = m.truth(value)
    return decided if decided is not None else m.derive(("bool", id(value)), lambda: Unknown("undecided", "bool"), value)


@handler("builtins.abs", "math.fabs")
def _abs(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, TensorVal):
        return m.emit("abs", {"x": value}, framework=value.framework, spelled="builtins.abs")
    if isinstance(value, NUMBER):
        return abs(value)
    return value if m.truth(comparisons.compare(m, "ge", value, 0)) else Unknown("unknown-number", "abs")


def _extreme(m: Any, arguments: Arguments, dims: Callable[[Any, Any], Any], plain: Callable[..., Any], op: str) -> Value:
    values = given(arguments)
    if len(values) == 1:
        if isinstance(values[0], TensorVal):
            return m.emit(
                op, {"x": values[0], "dim": None}, framework=values[0].framework, spelled="builtins." + plain.__name__
            )
        values, rest = listed(m, values[0])
        values = [m.plain(v) for v in values]
        if rest is not None:
            return (
                m.fresh_size(plain.__name__) if isinstance(rest, (int, DimExpr)) else Unknown("unknown-number", plain.__name__)
            )
    if not values:
        return arguments.kwargs.get("default", Unknown("empty-iterable"))
    values = [m.as_dim(v) for v in values]
    if "key" in arguments.kwargs or not all(isinstance(v, (int, float, DimExpr)) for v in values):
        return values[0] if len(values) == 1 else Unknown("unknown-number", plain.__name__)
    if all(isinstance(v, NUMBER) for v in values):
        return plain(values)
    if any(isinstance(v, float) for v in values):
        return Unknown("unknown-number", plain.__name__)
    out = values[0]
    for value in values[1:]:
        out = dims(out, value)
    return out


@handler("builtins.min")
def _min(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return _extreme(m, arguments, minimum, min, "amin")


@handler("builtins.max")
def _max(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return _extreme(m, arguments, maximum, max, "amax")


@handler("builtins.round")
def _round(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value, digits = argument(arguments, 0), argument(arguments, 1, "ndigits")
    if isinstance(value, NUMBER) and (digits is None or isinstance(digits, int)) and math.isfinite(value):
        return round(value, digits) if digits is not None else round(value)
    return value if isinstance(value, (DimExpr, Unknown)) else Unknown("unknown-number", "round")


@handler("builtins.divmod")
def _divmod(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    a, b = argument(arguments, 0), argument(arguments, 1)
    return operators.binary(m, cst.FloorDivide, a, b), operators.binary(m, cst.Modulo, a, b)


@handler("builtins.pow", "math.pow", "operator.pow")
def _pow(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return operators.binary(m, cst.Power, argument(arguments, 0), argument(arguments, 1))


@handler("math.prod")
def _prod(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    items = [m.as_dim(m.plain(v)) for v in items]
    if rest is not None:
        return m.fresh_size("prod")
    if all(isinstance(v, (int, DimExpr)) for v in items):
        return product(items)
    return math.prod(items) if all(isinstance(v, NUMBER) for v in items) else Unknown("unknown-number", "prod")


@handler("math.ceil")
def _ceil(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, NUMBER) and math.isfinite(value):
        return math.ceil(value)
    return value if isinstance(value, DimExpr) else m.fresh_size("ceil")


def _calculator(name: str) -> Callable[[Any, Value, Arguments], Value]:
    function = getattr(math, name)

    def calculate(m: Any, _receiver: Value, arguments: Arguments) -> Value:
        values = given(arguments)
        if not all(isinstance(v, NUMBER) for v in values):
            numeric = all(isinstance(v, (*NUMBER, DimExpr, UnknownFloat)) for v in map(m.as_dim, values))
            return UnknownFloat("unknown-number", name) if numeric else Unknown("unknown-number", name)
        try:
            return function(*values)
        except (ValueError, TypeError, OverflowError) as error:
            exceptions.raise_builtin(m, type(error).__name__)
            return Unknown("arithmetic", name)

    return calculate


for _name in (
    "sqrt", "exp", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "atan", "atan2", "tanh", "gcd", "isqrt",
    "isnan", "isinf", "isclose",
    "erf", "comb", "factorial", "degrees", "radians", "hypot", "fmod", "copysign",
):  # fmt: skip
    HANDLERS[f"math.{_name}"] = _calculator(_name)


_OPERATORS = {
    "add": cst.Add, "sub": cst.Subtract, "mul": cst.Multiply, "truediv": cst.Divide, "floordiv": cst.FloorDivide,
    "mod": cst.Modulo,
    "matmul": cst.MatrixMultiply, "and_": cst.BitAnd, "or_": cst.BitOr,
}  # fmt: skip


def _operator(kind: type) -> Callable[[Any, Value, Arguments], Value]:
    return lambda m, _receiver, arguments: operators.binary(m, kind, argument(arguments, 0), argument(arguments, 1))


for _name, _kind in _OPERATORS.items():
    HANDLERS[f"operator.{_name}"] = _operator(_kind)


@handler("builtins.int.item", "builtins.float.item", "builtins.int.bit_length", "builtins.float.is_integer")
def _number_method(_m: Any, receiver: Value, _arguments: Arguments) -> Value:
    return receiver if isinstance(receiver, NUMBER) else Unknown("unknown-number")


@handler("builtins.hash", "builtins.id")
def _identity(_m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("identity")


@handler("builtins.complex")
def _complex(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    values = given(arguments)
    return complex(*values) if all(isinstance(v, NUMBER) for v in values) and len(values) < 3 else Unknown("unknown-number")
