"""Rows of the TensorFlow 2 functions that stand beside Keras layers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.functions.row import rows
from dllint.frameworks.rows import FunctionRow

#: Names found both in ``tf`` and in ``tf.math``.
MATH: Final = {
    "neg": "negative", "abs": "abs", "exp": "exp", "sqrt": "sqrt", "square": "square", "sin": "sin", "cos": "cos", "tan": "tan",
    "tanh": "tanh", "sigmoid": "sigmoid", "floor": "floor", "sign": "sign", "round": "round", "logical_not": "logical_not",
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "pow": "pow", "maximum": "maximum",
    "minimum": "minimum",
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "logical_and": "logical_and", "logical_or": "logical_or", "sum": "reduce_sum", "mean": "reduce_mean", "prod": "reduce_prod",
    "amax": "reduce_max", "amin": "reduce_min", "all": "reduce_all", "any": "reduce_any", "logsumexp": "reduce_logsumexp",
    "argmax": "argmax", "argmin": "argmin", "cumsum": "cumsum", "asin": "asin", "acos": "acos", "atan": "atan", "cosh": "cosh",
    "sinh": "sinh",
}  # fmt: skip

#: Names found in ``tf.math`` only.
MATH_ONLY: Final = {
    "log": "log", "log1p": "log1p", "expm1": "expm1", "rsqrt": "rsqrt", "reciprocal": "reciprocal", "ceil": "ceil",
    "erf": "erf",
    "softplus": "softplus", "isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite", "std": "reduce_std",
    "var": "reduce_variance",
    "floor_divide": "floordiv", "mod": "mod floormod", "logsigmoid": "log_sigmoid", "div": "divide_no_nan", "topk": "top_k",
}  # fmt: skip

NN: Final = {
    "relu": "relu", "relu6": "relu6", "leaky_relu": "leaky_relu", "elu": "elu", "selu": "selu", "gelu": "gelu",
    "silu": "silu swish", "softplus": "softplus", "softsign": "softsign", "sigmoid": "sigmoid", "tanh": "tanh",
    "softmax": "softmax",
    "log_softmax": "log_softmax", "dropout": "dropout", "normalize": "l2_normalize",
}  # fmt: skip

RENAME: Final = {
    "features": "x",
    "logits": "x",
    "output_type": "dtype",
    "input": "x",
    "input_tensor": "x",
    "tensor": "x",
    "value": "x",
    "rate": "p",
}

#: Without an axis the classes come last.
ONE_HOT: Final = "indices, depth, on_value=None, off_value=None, axis=-1, dtype=None, name=None"

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("tensorflow", "tensorflow", MATH, RENAME),
    *rows("tensorflow.math", "tensorflow", MATH, RENAME),
    *rows("tensorflow.math", "tensorflow", MATH_ONLY, RENAME),
    *rows("tensorflow.nn", "tensorflow", NN, RENAME),
    FunctionRow("tensorflow.reshape", "reshape", "tensorflow", RENAME),
    FunctionRow("tensorflow.transpose", "permute", "tensorflow", {"a": "x", "perm": "dims"}),
    FunctionRow("tensorflow.expand_dims", "unsqueeze", "tensorflow", RENAME),
    FunctionRow("tensorflow.squeeze", "squeeze", "tensorflow", RENAME),
    FunctionRow("tensorflow.concat", "cat", "tensorflow", {"values": "tensors"}),
    FunctionRow("tensorflow.stack", "stack", "tensorflow", {"values": "tensors"}),
    FunctionRow("tensorflow.unstack", "unbind", "tensorflow", RENAME),
    FunctionRow("tensorflow.split", "split", "tensorflow", {"value": "x", "num_or_size_splits": "sections"}),
    FunctionRow("tensorflow.tile", "tile", "tensorflow", {"input": "x", "multiples": "repeats"}),
    FunctionRow("tensorflow.repeat", "repeat_interleave", "tensorflow", RENAME),
    FunctionRow("tensorflow.broadcast_to", "broadcast_to", "tensorflow", RENAME),
    FunctionRow("tensorflow.cast", "cast", "tensorflow", RENAME),
    FunctionRow("tensorflow.identity", "identity", "tensorflow", RENAME),
    FunctionRow("tensorflow.stop_gradient", "detach", "tensorflow", RENAME),
    FunctionRow(
        "tensorflow.clip_by_value", "clamp", "tensorflow", {"t": "x", "clip_value_min": "min", "clip_value_max": "max"}
    ),
    FunctionRow("tensorflow.where", "where", "tensorflow"),
    FunctionRow("tensorflow.gather", "take", "tensorflow", {"params": "x", "indices": "index"}),
    FunctionRow("tensorflow.one_hot", "one_hot", "tensorflow", {"indices": "x", "depth": "num_classes"}, params=ONE_HOT),
    FunctionRow("tensorflow.reverse", "flip", "tensorflow", RENAME),
    FunctionRow("tensorflow.linalg.matmul", "matmul", "tensorflow", {"a": "x", "b": "y"}),
    FunctionRow("tensorflow.matmul", "matmul", "tensorflow", {"a": "x", "b": "y"}),
    FunctionRow("tensorflow.einsum", "einsum", "tensorflow", params="equation, *operands"),
    FunctionRow("tensorflow.tensordot", "tensordot", "tensorflow", {"a": "x", "b": "y", "axes": "dims"}),
    FunctionRow("tensorflow.zeros", "zeros", "tensorflow"),
    FunctionRow("tensorflow.ones", "ones", "tensorflow"),
    FunctionRow("tensorflow.fill", "full", "tensorflow", {"dims": "shape", "value": "fill_value"}),
    FunctionRow("tensorflow.zeros_like", "zeros_like", "tensorflow", RENAME),
    FunctionRow("tensorflow.ones_like", "ones_like", "tensorflow", RENAME),
    FunctionRow("tensorflow.range", "arange", "tensorflow", {"limit": "end", "delta": "step"}),
    FunctionRow("tensorflow.linspace", "linspace", "tensorflow", {"stop": "end", "num": "steps"}),
    FunctionRow("tensorflow.eye", "eye", "tensorflow", {"num_rows": "n", "num_columns": "m"}),
    FunctionRow("tensorflow.convert_to_tensor", "array", "tensorflow", {"value": "data"}),
    FunctionRow(
        "tensorflow.Variable",
        "array",
        "tensorflow",
        {"initial_value": "data"},
        params="initial_value=None, trainable=None, validate_shape=True, caching=None, name=None, var_def=None, dtype=None",
    ),
    FunctionRow("tensorflow.random.normal", "randn", "tensorflow"),
    FunctionRow("tensorflow.random.truncated_normal", "randn", "tensorflow"),
    FunctionRow("tensorflow.random.uniform", "rand", "tensorflow"),
)
