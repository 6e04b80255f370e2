"""Element-wise functions: ``torch.*``, ``torch.special.*`` and the tensor methods of the same names."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

#: One tensor in, one of the same shape out; all are methods too, and all have an in-place form.
UNARY: Final = {
    "neg": "neg negative", "abs": "abs absolute", "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log",
    "log1p": "log1p",
    "log2": "log2", "log10": "log10", "sqrt": "sqrt", "rsqrt": "rsqrt", "square": "square", "sin": "sin", "cos": "cos",
    "tan": "tan",
    "asin": "asin arcsin", "acos": "acos arccos", "atan": "atan arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "asinh": "asinh arcsinh", "acosh": "acosh arccosh", "atanh": "atanh arctanh", "sigmoid": "sigmoid", "relu": "relu",
    "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "floor": "floor", "ceil": "ceil", "round": "round", "trunc": "trunc fix",
    "sign": "sign sgn", "reciprocal": "reciprocal", "logical_not": "logical_not", "bitwise_not": "bitwise_not",
    "nan_to_num": "nan_to_num", "clamp": "clamp clip clamp_min clamp_max",
    "lgamma": "lgamma", "digamma": "digamma", "deg2rad": "deg2rad",
    "rad2deg": "rad2deg", "sinc": "sinc", "unknown_activation": "logit frac",
}  # fmt: skip

#: Two tensors (or a number) broadcast against each other; methods with an in-place form.
BINARY: Final = {
    "add": "add", "sub": "sub subtract", "mul": "mul multiply", "div": "div divide true_divide", "floor_divide": "floor_divide",
    "remainder": "remainder", "fmod": "fmod", "pow": "pow", "eq": "eq", "ne": "ne not_equal", "lt": "lt less",
    "le": "le less_equal",
    "gt": "gt greater", "ge": "ge greater_equal", "logical_and": "logical_and", "logical_or": "logical_or",
    "logical_xor": "logical_xor", "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor",
    "atan2": "atan2 arctan2", "lerp": "lerp", "gcd": "gcd", "lcm": "lcm",
}  # fmt: skip

#: A tensor and the product or quotient of two others.
TERNARY: Final = {"addcmul": "addcmul", "addcdiv": "addcdiv"}

#: As above, without an in-place form.
PLAIN: Final = {
    "isnan": "isnan", "isinf": "isinf", "isfinite": "isfinite", "maximum": "maximum fmax", "minimum": "minimum fmin",
    "hypot": "hypot", "isclose": "isclose", "xlogy": "xlogy", "signbit": "signbit",
    "identity": "conj resolve_conj resolve_neg positive",
}  # fmt: skip

#: ``torch.special``: the function's name is the operation's.
SPECIAL: Final = {
    "sigmoid": "expit", "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "expm1": "expm1", "log1p": "log1p", "exp2": "exp2",
    "unknown_activation": "logit ndtr log_ndtr entr", "softmax": "softmax", "log_softmax": "log_softmax",
    "logsumexp": "logsumexp", "lgamma": "gammaln", "digamma": "digamma psi",
}  # fmt: skip

#: Functions of two tensors of which no more is known than that they give floating-point numbers.
PAIRING: Final = {"unknown_pairing": "logaddexp logaddexp2 copysign"}
RENAME: Final = {"end": "y", "exponent": "y"}
IN_PLACE: Final = UNARY | BINARY | TERNARY

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", UNARY | PLAIN),
    *rows("torch", "torch", BINARY, RENAME),
    *rows("torch", "torch", PAIRING, RENAME, {"is_float": True}),
    *rows("torch.special", "torch", SPECIAL),
    *(FunctionRow(f"torch.{name}", name, "torch", params="input, tensor1, tensor2, *, value=1, out=None") for name in TERNARY),
    FunctionRow("torch.special.round", "round", "torch", params="input, *, decimals=0, out=None"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", UNARY | PLAIN),
    *rows("torch.Tensor", "torch", BINARY, RENAME),
    *rows("torch.Tensor", "torch", PAIRING, RENAME, {"is_float": True}),
    *rows("torch.Tensor", "torch", TERNARY),
)
