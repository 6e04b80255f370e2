"""Functions of one tensor, element by element: mathematics and casts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dllint.domains.dtype import BOOL, FLOAT16, FLOAT32, INT8, INT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import by_backend, floating, real_type, refuse
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import NONE, Trait
from dllint.ops.view import elementwise_layout

TypeRule = Callable[[Call, TensorType], "DType | Unknown"]


def _kept(call: Call, x: TensorType) -> DType | Unknown:
    return x.dtype


def _inverted(call: Call, x: TensorType) -> DType | Unknown:
    """Bits of fractions are not turned round, be there elements or not."""
    if call.framework in ("torch", "numpy") and isinstance(x.dtype, DType) and x.dtype.kind in ("float", "complex"):
        call.fault(faults.DTYPE, operand="x", expected=INT64, actual=x.dtype)
    return x.dtype


def _squared(call: Call, x: TensorType) -> DType | Unknown:
    """Squares of booleans are integers."""
    return {"torch": INT64, "numpy": INT8, "keras": INT32}.get(call.framework, BOOL) if x.dtype == BOOL else x.dtype


def _inverse(call: Call, x: TensorType) -> DType | Unknown:
    """numpy divides integers by integers here."""
    if call.framework == "numpy" and isinstance(x.dtype, DType) and x.dtype.kind in ("bool", "int"):
        return INT8 if x.dtype == BOOL else x.dtype
    return floating(call, x)


def _numeric(call: Call, x: TensorType) -> DType | Unknown:
    """torch does not round booleans."""
    if call.framework == "torch" and x.dtype == BOOL:
        refuse(call, x)
    return x.dtype


def _bool(call: Call, x: TensorType) -> DType | Unknown:
    return BOOL


def _magnitude(call: Call, x: TensorType) -> DType | Unknown:
    """Complex numbers have real magnitudes."""
    real = real_type(x.dtype)
    return _numeric(call, x) if real == x.dtype else real


def _rounded(call: Call, x: TensorType) -> DType | Unknown:
    """Keras rounds up and down in floating point; the others keep integers."""
    integer = isinstance(x.dtype, DType) and x.dtype.kind in ("bool", "int")
    return FLOAT32 if call.framework == "keras" and integer else by_backend(call, _numeric(call, x))


def _nearest(call: Call, x: TensorType) -> DType | Unknown:
    """numpy makes numbers of truth values first."""
    return FLOAT16 if x.dtype == BOOL and call.framework == "numpy" else _numeric(call, x)


def _signed(call: Call, x: TensorType) -> DType | Unknown:
    """torch and numpy do not negate booleans."""
    if x.dtype == BOOL and call.framework in ("torch", "numpy"):
        refuse(call, x)
    return x.dtype


_KEPT = ("clone", "detach", "identity", "sign", "nan_to_num")
_FLOATING = (
    "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfinv", "erfc", "lgamma", "digamma", "reciprocal", "sigmoid",
    "deg2rad", "rad2deg", "sinc", "rescale",
)  # fmt: skip
_TESTS = ("isnan", "isinf", "isfinite", "logical_not", "signbit")
RULES: Mapping[str, TypeRule] = {
    **dict.fromkeys(_KEPT, _kept),
    **dict.fromkeys(_FLOATING, floating),
    **dict.fromkeys(_TESTS, _bool),
    **dict.fromkeys(("floor", "ceil"), _rounded),
    "bitwise_not": _inverted,
    "trunc": _numeric,
    "round": _nearest,
    "square": _squared,
    "reciprocal": _inverse,
    "abs": _magnitude,
    "neg": _signed,
}


def unary(call: Call, x: TensorType, dtype: Value = None) -> Result:
    """The shape of ``x``; the element type by the operation's rule, or the one asked for (numpy)."""
    given, wanted = as_tensor(call, x), read_dtype(dtype)
    if wanted is not None:
        return TensorType(given.shape, wanted)
    return TensorType(given.shape, RULES[call.kind](call, given), elementwise_layout(given))


#: What is true of each, besides that it works element by element.
_TRAITS: Final[Mapping[str, Trait]] = {
    "clone": Trait.KEEPS_PLACES,
    "detach": Trait.KEEPS_PLACES | Trait.NO_GRADIENT | Trait.VIEW | Trait.TELLS_LAYOUT,
    "identity": Trait.KEEPS_PLACES | Trait.MAY_VIEW | Trait.GIVES_BACK | Trait.TELLS_LAYOUT,
    "sign": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NO_GRADIENT,
    "nan_to_num": Trait.REPLACES,
    "exp": (
        Trait.MONOTONE
        | Trait.NON_NEGATIVE
        | Trait.ACTIVATION
        | Trait.EXPONENTIAL
        | Trait.NATURAL
        | Trait.AUTOCAST_SINGLE_ON_CARD
        | Trait.NEEDS_RESULT
    ),
    "exp2": Trait.MONOTONE | Trait.NON_NEGATIVE | Trait.EXPONENTIAL | Trait.NEEDS_RESULT,
    "expm1": (
        Trait.MONOTONE
        | Trait.KEEPS_SIGN
        | Trait.EXPONENTIAL
        | Trait.NATURAL
        | Trait.SHIFTED
        | Trait.AUTOCAST_SINGLE_ON_CARD
        | Trait.NEEDS_RESULT
    ),
    "log": Trait.MONOTONE | Trait.LOGARITHM | Trait.NATURAL | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "log1p": (
        Trait.MONOTONE
        | Trait.KEEPS_SIGN
        | Trait.LOGARITHM
        | Trait.NATURAL
        | Trait.SHIFTED
        | Trait.AUTOCAST_SINGLE_ON_CARD
        | Trait.NEEDS_OPERAND
    ),
    "log2": Trait.MONOTONE | Trait.LOGARITHM | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "log10": Trait.MONOTONE | Trait.LOGARITHM | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "sqrt": Trait.MONOTONE | Trait.NON_NEGATIVE | Trait.KEEPS_SIGN | Trait.ROOT | Trait.NEEDS_RESULT,
    "rsqrt": Trait.NON_NEGATIVE | Trait.KEEPS_SIGN | Trait.ROOT | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_RESULT,
    "sin": Trait.ACTIVATION | Trait.NEEDS_OPERAND,
    "cos": Trait.ACTIVATION | Trait.NEEDS_OPERAND,
    "tan": Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_RESULT,
    "asin": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.ARC | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "acos": Trait.NON_NEGATIVE | Trait.ARC | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "atan": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NEEDS_OPERAND,
    "sinh": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.HYPERBOLIC | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "cosh": Trait.NON_NEGATIVE | Trait.HYPERBOLIC | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "tanh": Trait.MONOTONE | Trait.LAYER_ACTIVATION | Trait.TANH | Trait.SATURATES | Trait.NEEDS_RESULT,
    "asinh": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NEEDS_OPERAND,
    "acosh": Trait.MONOTONE | Trait.NON_NEGATIVE | Trait.KEEPS_SIGN | Trait.ABOVE_ONE | Trait.NEEDS_OPERAND,
    "atanh": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.ARC | Trait.POLES_AT_ENDS | Trait.NEEDS_OPERAND,
    "erf": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.SATURATES | Trait.NEEDS_OPERAND,
    "erfinv": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.POLES_AT_ENDS | Trait.AUTOCAST_SINGLE_ON_CARD,
    "erfc": Trait.NON_NEGATIVE | Trait.NEEDS_OPERAND,
    "lgamma": Trait.NEEDS_OPERAND,
    "digamma": Trait.NEEDS_OPERAND,
    "reciprocal": Trait.KEEPS_SIGN | Trait.INVERTS | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_RESULT,
    "sigmoid": (
        Trait.MONOTONE | Trait.LAYER_ACTIVATION | Trait.SATURATES | Trait.LOGISTIC | Trait.PROBABILITIES | Trait.NEEDS_RESULT
    ),
    "deg2rad": Trait.MONOTONE | Trait.KEEPS_SIGN,
    "rad2deg": Trait.MONOTONE | Trait.KEEPS_SIGN,
    "sinc": NONE,
    "rescale": Trait.SCALES,
    "isnan": Trait.TRUTH,
    "isinf": Trait.TRUTH,
    "isfinite": Trait.TRUTH,
    "logical_not": Trait.LOGIC,
    "signbit": Trait.TRUTH,
    "floor": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NO_GRADIENT | Trait.ROUNDS,
    "ceil": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NO_GRADIENT | Trait.ROUNDS,
    "bitwise_not": Trait.NO_GRADIENT,
    "trunc": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NO_GRADIENT | Trait.ROUNDS,
    "round": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.NO_GRADIENT | Trait.ROUNDS,
    "square": Trait.NON_NEGATIVE | Trait.ACTIVATION | Trait.SQUARES | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "abs": Trait.NON_NEGATIVE | Trait.ACTIVATION | Trait.MAGNITUDE | Trait.NEEDS_OPERAND,
    "neg": Trait.NEGATES,
}

for _name in RULES:
    op(_name, traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | _TRAITS[_name])(unary)


@op("cast", traits=Trait.KEEPS_PLACES | Trait.CONVERTS | Trait.MAY_VIEW | Trait.GIVES_BACK)
def cast(call: Call, x: TensorType, dtype: Value = None) -> Result:
    """``x`` with another element type; without ``dtype`` it stays."""
    wanted = read_dtype(dtype)
    given = as_tensor(call, x)
    return TensorType(given.shape, given.dtype if wanted is None else wanted, elementwise_layout(given))


@op("contiguous", traits=Trait.KEEPS_PLACES | Trait.MAY_VIEW | Trait.GIVES_BACK | Trait.TELLS_LAYOUT)
def contiguous(call: Call, x: TensorType) -> Result:
    """``x`` laid out row by row."""
    return x.with_shape(x.shape)
