"""``keras.ops``: array functions, neural-network functions and the ones shared with ``keras.backend``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.functions.row import rows
from dllint.frameworks.rows import FunctionRow

UNARY: Final = {
    "neg": "negative", "abs": "abs absolute",
    "unknown_activation": "fabs real sparsemax sparse_plus squareplus cbrt i0 sparse_sigmoid",
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log",
    "log1p": "log1p",
    "log2": "log2", "log10": "log10", "sqrt": "sqrt", "rsqrt": "rsqrt", "square": "square", "sin": "sin", "cos": "cos",
    "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "sigmoid": "sigmoid", "logsigmoid": "log_sigmoid",
    "relu": "relu",
    "relu6": "relu6", "leaky_relu": "leaky_relu", "elu": "elu", "selu": "selu", "celu": "celu", "gelu": "gelu",
    "silu": "silu swish",
    "softplus": "softplus", "softsign": "softsign", "hardshrink": "hard_shrink", "softshrink": "soft_shrink",
    "tanhshrink": "tanh_shrink", "hardtanh": "hard_tanh", "hardsigmoid": "hard_sigmoid", "hardswish": "hard_silu hard_swish",
    "threshold": "threshold", "erf": "erf", "erfinv": "erfinv", "floor": "floor", "ceil": "ceil", "round": "round",
    "trunc": "trunc",
    "sign": "sign", "reciprocal": "reciprocal", "isnan": "isnan", "isinf": "isinf", "isfinite": "isfinite",
    "logical_not": "logical_not", "bitwise_not": "bitwise_not bitwise_invert", "nan_to_num": "nan_to_num",
    "deg2rad": "deg2rad", "rad2deg": "rad2deg",
    "erfc": "erfc", "sinc": "sinc", "signbit": "signbit",
    "identity": "copy conj conjugate",
}  # fmt: skip

BINARY: Final = {
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide true_divide divide_no_nan",
    "floor_divide": "floor_divide",
    "mod": "mod", "fmod": "fmod",
    "pow": "power", "maximum": "maximum fmax", "minimum": "minimum fmin", "eq": "equal", "ne": "not_equal",
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "logical_and": "logical_and",
    "logical_or": "logical_or", "logical_xor": "logical_xor", "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor", "atan2": "arctan2",
    "unknown_pairing": "heaviside bitwise_left_shift left_shift bitwise_right_shift right_shift gcd hypot isclose lcm ldexp "
    "logaddexp logaddexp2 nextafter",
}  # fmt: skip

REDUCTION: Final = {
    "sum": "sum nansum", "mean": "mean nanmean average", "prod": "prod nanprod", "amax": "max amax nanmax",
    "amin": "min amin nanmin", "argmax": "argmax nanargmax", "argmin": "argmin nanargmin",
    "all": "all", "any": "any", "std": "std nanstd", "var": "var nanvar", "logsumexp": "logsumexp", "norm": "norm",
    "median": "median nanmedian",
    "cumsum": "cumsum nancumsum", "cumprod": "cumprod nancumprod", "sort": "sort", "argsort": "argsort",
    "count_nonzero": "count_nonzero",
    "bincount": "bincount", "softmax": "softmax", "log_softmax": "log_softmax",
}  # fmt: skip

PRODUCT: Final = {
    "matmul": "matmul", "np_dot": "dot", "tensordot": "tensordot", "outer": "outer", "kron": "kron",
}  # fmt: skip

SHAPING: Final = {
    "ravel": "ravel", "squeeze": "squeeze", "unsqueeze": "expand_dims", "movedim": "moveaxis", "swapaxes": "swapaxes",
    "broadcast_to": "broadcast_to", "flip": "flip", "roll": "roll", "tile": "tile", "repeat_interleave": "repeat",
    "cat": "concatenate", "hstack": "hstack", "vstack": "vstack", "tril": "tril",
    "triu": "triu", "diag": "diag", "nonzero": "nonzero", "one_hot": "one_hot",
}  # fmt: skip

CREATION: Final = {
    "eye": "eye identity", "zeros_like": "zeros_like", "ones_like": "ones_like", "full_like": "full_like",
    "empty_like": "empty_like",
}  # fmt: skip

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("keras.ops", "keras", UNARY | BINARY | PRODUCT),
    *rows("keras.ops", "keras", REDUCTION, {"weights": "weight", "ord": "p"}),
    *rows("keras.ops", "keras", SHAPING, {"xs": "tensors", "k": "diagonal", "shift": "shifts"}),
    FunctionRow("keras.ops.diagonal", "diagonal", "keras", {"axis1": "dim1", "axis2": "dim2"}),
    FunctionRow("keras.ops.trace", "trace", "keras"),
    FunctionRow("keras.ops.rot90", "rot90", "keras", {"array": "x", "axes": "dims"}, params="array, k=1, axes=(0, 1)"),
    FunctionRow("keras.ops.fliplr", "flip", "keras", const={"dims": 1}, params="x"),
    FunctionRow("keras.ops.flipud", "flip", "keras", const={"dims": 0}, params="x"),
    FunctionRow("keras.ops.depth_to_space", "depth_to_space", "keras", params="x, block_size, data_format='channels_last'"),
    FunctionRow("keras.ops.space_to_depth", "space_to_depth", "keras", params="x, block_size, data_format='channels_last'"),
    FunctionRow("keras.ops.isin", "isin", "keras", {"x1": "x", "x2": "y"}),
    FunctionRow("keras.ops.cholesky", "matrix_function", "keras"),
    FunctionRow("keras.ops.inv", "matrix_function", "keras"),
    FunctionRow("keras.ops.pinv", "pinv", "keras"),
    FunctionRow("keras.ops.det", "det", "keras"),
    FunctionRow("keras.ops.slogdet", "slogdet", "keras"),
    FunctionRow("keras.ops.logdet", "det", "keras", const={"logarithm": True}),
    FunctionRow("keras.ops.eigh", "eigh", "keras"),
    FunctionRow("keras.ops.qr", "qr", "keras"),
    FunctionRow("keras.ops.svd", "svd", "keras", const={"order": "rows"}),
    FunctionRow("keras.ops.solve", "solve", "keras", {"a": "x", "b": "y"}),
    FunctionRow(
        "keras.ops.searchsorted",
        "searchsorted",
        "keras",
        {"sorted_sequence": "x", "values": "y"},
        params="sorted_sequence, values, side='left'",
    ),
    FunctionRow("keras.ops.saturate_cast", "cast", "keras"),
    *(FunctionRow(f"keras.ops.segment_{kind}", "segment", "keras", {"data": "x"}) for kind in ("sum", "max", "min", "prod")),
    FunctionRow("keras.ops.stack", "stack", "keras", {"x": "tensors"}),
    *rows("keras.ops", "keras", CREATION, {"N": "n", "M": "m"}),
    FunctionRow("keras.ops.einsum", "einsum", "keras", {"subscripts": "equation"}, params="subscripts, *operands, **kwargs"),
    FunctionRow("keras.ops.meshgrid", "meshgrid", "keras", {"x": "tensors"}, params="*x, indexing='xy'"),
    FunctionRow("keras.ops.reshape", "reshape", "keras", {"newshape": "shape"}),
    FunctionRow("keras.ops.transpose", "permute", "keras", {"axes": "dims"}),
    FunctionRow("keras.ops.where", "where", "keras", {"x1": "x", "x2": "y"}),
    FunctionRow("keras.ops.clip", "clamp", "keras", {"x_min": "min", "x_max": "max"}),
    FunctionRow("keras.ops.cast", "cast", "keras"),
    FunctionRow("keras.ops.stop_gradient", "identity", "keras", {"variable": "x"}),
    FunctionRow("keras.ops.take", "take", "keras", {"indices": "index"}),
    FunctionRow("keras.ops.take_along_axis", "take_along_dim", "keras", {"indices": "index"}),
    FunctionRow("keras.ops.top_k", "topk", "keras"),
    FunctionRow("keras.ops.normalize", "normalize", "keras", {"order": "p"}),
    FunctionRow("keras.ops.split", "split", "keras", {"indices_or_sections": "sections"}),
    FunctionRow("keras.ops.unstack", "unbind", "keras"),
    FunctionRow("keras.ops.zeros", "zeros", "keras"),
    FunctionRow("keras.ops.ones", "ones", "keras"),
    FunctionRow("keras.ops.empty", "empty", "keras"),
    FunctionRow("keras.ops.full", "full", "keras"),
    FunctionRow("keras.ops.arange", "arange", "keras", {"stop": "end"}),
    FunctionRow("keras.ops.linspace", "linspace", "keras", {"stop": "end", "num": "steps"}),
    FunctionRow("keras.ops.convert_to_tensor", "array", "keras", {"x": "data"}),
    FunctionRow("keras.ops.array", "array", "keras", {"x": "data"}),
    FunctionRow("keras.ops.convert_to_numpy", "array", "numpy", {"x": "data"}),
    FunctionRow("keras.random.normal", "randn", "keras"),
    FunctionRow("keras.random.truncated_normal", "randn", "keras"),
    FunctionRow("keras.random.uniform", "rand", "keras"),
    FunctionRow("keras.random.randint", "randint", "keras", {"minval": "low", "maxval": "high"}),
    FunctionRow("keras.random.dropout", "dropout", "keras", {"inputs": "x", "rate": "p"}),
    FunctionRow("keras.random.shuffle", "identity", "keras"),
)
