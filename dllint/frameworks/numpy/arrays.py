"""Rows of numpy functions and array methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.frameworks.rows import EMPTY, FunctionRow

UNARY: Final = {
    "neg": "negative", "abs": "abs absolute", "unknown_activation": "fabs rint conj conjugate cbrt i0",
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log",
    "log1p": "log1p",
    "log2": "log2", "log10": "log10", "sqrt": "sqrt", "square": "square", "sin": "sin", "cos": "cos", "tan": "tan",
    "asin": "arcsin asin", "acos": "arccos acos", "atan": "arctan atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "floor": "floor",
    "ceil": "ceil", "round": "round around", "trunc": "trunc fix", "asinh": "arcsinh asinh", "acosh": "arccosh acosh",
    "atanh": "arctanh atanh", "sinc": "sinc", "signbit": "signbit", "identity": "positive",
    "bitwise_not": "bitwise_not invert bitwise_invert", "sign": "sign", "reciprocal": "reciprocal",
    "isnan": "isnan", "deg2rad": "deg2rad radians", "rad2deg": "rad2deg degrees",
    "isinf": "isinf", "isfinite": "isfinite", "logical_not": "logical_not", "nan_to_num": "nan_to_num",
    "clone": "copy",
}  # fmt: skip

BINARY: Final = {
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide true_divide", "floor_divide": "floor_divide",
    "mod": "mod remainder", "fmod": "fmod", "pow": "power pow", "maximum": "maximum fmax", "minimum": "minimum fmin",
    "eq": "equal",
    "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "logical_and": "logical_and",
    "logical_or": "logical_or", "logical_xor": "logical_xor", "atan2": "arctan2 atan2", "hypot": "hypot",
    "bitwise_and": "bitwise_and",
    "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor",
    "unknown_pairing": "logaddexp logaddexp2 copysign heaviside nextafter ldexp float_power left_shift right_shift",
    "matmul": "matmul", "np_dot": "dot",
    "outer": "outer", "isclose": "isclose", "kron": "kron", "tensordot": "tensordot", "gcd": "gcd", "lcm": "lcm",
}  # fmt: skip

REDUCTION: Final = {
    "sum": "sum nansum", "mean": "mean nanmean average", "prod": "prod nanprod",
    "amax": "max amax nanmax", "amin": "min amin nanmin",
    "argmax": "argmax nanargmax", "argmin": "argmin nanargmin", "all": "all", "any": "any", "std": "std nanstd",
    "var": "var nanvar",
    "median": "median nanmedian", "cumsum": "cumsum nancumsum",
    "cumprod": "cumprod nancumprod", "sort": "sort", "argsort": "argsort",
    "count_nonzero": "count_nonzero", "bincount": "bincount", "norm": "linalg.norm",
}  # fmt: skip

SHAPING: Final = {
    "flatten": "ravel", "squeeze": "squeeze", "unsqueeze": "expand_dims", "movedim": "moveaxis", "swapaxes": "swapaxes",
    "broadcast_to": "broadcast_to", "flip": "flip", "roll": "roll", "repeat_interleave": "repeat", "stack": "stack",
    "cat": "concatenate concat", "hstack": "hstack", "vstack": "vstack row_stack", "tril": "tril", "triu": "triu",
    "diag": "diag",
    "tile": "tile", "nonzero": "nonzero",
}  # fmt: skip

CREATION: Final = {
    "zeros": "zeros", "ones": "ones", "empty": "empty", "full": "full", "eye": "eye identity", "zeros_like": "zeros_like",
    "ones_like": "ones_like", "full_like": "full_like", "empty_like": "empty_like",
}  # fmt: skip

#: Methods of ``numpy.ndarray`` that are the function of the same name with the array first.
METHODS: Final = {
    "sum": "sum", "mean": "mean", "prod": "prod", "amax": "max", "amin": "min", "argmax": "argmax", "argmin": "argmin",
    "all": "all",
    "any": "any", "std": "std", "var": "var", "cumsum": "cumsum",
    "cumprod": "cumprod",
    "round": "round", "argsort": "argsort", "squeeze": "squeeze",
    "swapaxes": "swapaxes", "repeat_interleave": "repeat", "np_dot": "dot", "clone": "copy", "nonzero": "nonzero",
}  # fmt: skip


def _rows(names: Mapping[str, str], rename: Mapping[str, str] = EMPTY, prefix: str = "numpy") -> Iterator[FunctionRow]:
    for op, spelled in names.items():
        for name in spelled.split():
            yield FunctionRow(f"{prefix}.{name}", op, "numpy", rename)


_EINSUM: Final = "subscripts, *operands, out=None, optimize=False, dtype=None, order='K', casting='safe'"
_PAD: Final = "array, pad_width, mode='constant', *, constant_values=0, end_values=0, stat_length=None, reflect_type='even'"
_TAKE: Final = "self, indices, axis=None, out=None, mode='raise'"

ROWS: Final[tuple[FunctionRow, ...]] = (
    *_rows(UNARY | BINARY),
    *_rows(REDUCTION, {"weights": "weight", "ord": "p"}),
    *_rows(
        SHAPING,
        {
            "arrays": "tensors",
            "tup": "tensors",
            "A": "x",
            "m": "x",
            "v": "x",
            "array": "x",
            "k": "diagonal",
            "reps": "repeats",
            "shift": "shifts",
            "axis1": "dim0",
            "axis2": "dim1",
        },
    ),
    *_rows(CREATION, {"N": "n", "M": "m", "fill_value": "fill_value", "prototype": "x"}),
    *_rows(METHODS, prefix="numpy.ndarray"),
    FunctionRow("numpy.fliplr", "flip", "numpy", {"m": "x"}, {"dims": 1}, params="m"),
    FunctionRow("numpy.flipud", "flip", "numpy", {"m": "x"}, {"dims": 0}, params="m"),
    FunctionRow("numpy.pad", "pad", "numpy", {"array": "x", "pad_width": "pad"}, params=_PAD),
    FunctionRow("numpy.rot90", "rot90", "numpy", {"m": "x", "axes": "dims"}),
    FunctionRow("numpy.diagonal", "diagonal", "numpy", {"axis1": "dim1", "axis2": "dim2"}),
    FunctionRow("numpy.trace", "trace", "numpy"),
    FunctionRow("numpy.take_along_axis", "take_along_dim", "numpy", {"indices": "index"}),
    FunctionRow("numpy.linalg.det", "det", "numpy"),
    FunctionRow("numpy.linalg.svd", "svd", "numpy", const={"order": "rows"}),
    FunctionRow("numpy.linalg.qr", "qr", "numpy"),
    FunctionRow("numpy.linalg.eigh", "eigh", "numpy"),
    FunctionRow("numpy.linalg.eigvalsh", "eigh", "numpy", const={"compute_vectors": False}),
    FunctionRow("numpy.linalg.eig", "eig", "numpy"),
    FunctionRow("numpy.linalg.eigvals", "eig", "numpy", const={"compute_vectors": False}),
    FunctionRow("numpy.linalg.pinv", "pinv", "numpy"),
    FunctionRow("numpy.linalg.slogdet", "slogdet", "numpy"),
    FunctionRow("numpy.linalg.matrix_power", "matrix_function", "numpy"),
    FunctionRow("numpy.einsum", "einsum", "numpy", {"subscripts": "equation"}, params=_EINSUM),
    FunctionRow("numpy.array", "array", "numpy", {"object": "data"}),
    FunctionRow("numpy.reshape", "reshape", "numpy", {"newshape": "shape"}),
    FunctionRow("numpy.transpose", "permute", "numpy", {"axes": "dims"}),
    FunctionRow("numpy.permute_dims", "permute", "numpy", {"axes": "dims"}),
    FunctionRow("numpy.where", "where", "numpy"),
    FunctionRow("numpy.clip", "clamp", "numpy", {"a_min": "min", "a_max": "max"}),
    FunctionRow("numpy.take", "take", "numpy", {"indices": "index"}),
    FunctionRow("numpy.arange", "arange", "numpy", {"stop": "end"}),
    FunctionRow("numpy.linspace", "linspace", "numpy", {"stop": "end", "num": "steps"}),
    FunctionRow("numpy.split", "split", "numpy", {"ary": "x", "indices_or_sections": "sections"}),
    FunctionRow("numpy.array_split", "tensor_split", "numpy", {"ary": "x", "indices_or_sections": "sections"}),
    FunctionRow("numpy.ndarray.reshape", "reshape", "numpy", params="self, *shape, order='C', copy=None"),
    FunctionRow("numpy.ndarray.transpose", "permute", "numpy", params="self, *axes", rename={"axes": "dims"}),
    FunctionRow("numpy.ndarray.flatten", "flatten", "numpy", const={"start_dim": 0}, params="self, order='C'"),
    FunctionRow("numpy.ndarray.ravel", "flatten", "numpy", const={"start_dim": 0}, params="self, order='C'"),
    FunctionRow(
        "numpy.ndarray.astype", "cast", "numpy", params="self, dtype, order='K', casting='unsafe', subok=True, copy=True"
    ),
    FunctionRow("numpy.ndarray.clip", "clamp", "numpy", params="self, min=None, max=None, out=None, **kwargs"),
    FunctionRow("numpy.ndarray.take", "take", "numpy", {"indices": "index"}, params=_TAKE),
)
