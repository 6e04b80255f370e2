"""``keras.backend`` (``K``): the functions of Keras 1 and 2 and of ``tf.keras.backend``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.functions.row import rows
from dllint.frameworks.rows import FunctionRow

PLAIN: Final = {
    "abs": "abs", "exp": "exp", "log": "log", "sqrt": "sqrt", "square": "square", "sin": "sin", "cos": "cos", "round": "round",
    "sign": "sign", "sigmoid": "sigmoid", "tanh": "tanh", "softplus": "softplus", "softsign": "softsign", "elu": "elu",
    "hardsigmoid": "hard_sigmoid", "maximum": "maximum",
    "minimum": "minimum",
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "sum": "sum",
    "mean": "mean", "prod": "prod", "amax": "max", "amin": "min", "argmax": "argmax", "argmin": "argmin", "all": "all",
    "any": "any",
    "std": "std", "var": "var", "cumsum": "cumsum", "cumprod": "cumprod", "softmax": "softmax",
    "zeros_like": "zeros_like", "ones_like": "ones_like", "squeeze": "squeeze", "unsqueeze": "expand_dims",
        "repeat_vector": "repeat", "l2_normalize": "l2_normalize", "one_hot": "one_hot", "flip": "reverse",
}  # fmt: skip

#: Operation, signature, functions that have it.
MORE: Final = (
    ("identity", "x", "eval get_value print_tensor to_dense cast_to_floatx"),
    ("identity", "x, alt=None, training=None", "in_train_phase"),
    ("identity", "x, bias, data_format=None", "bias_add"),
    ("rescale", "x, mean, var, beta, gamma, axis=-1, epsilon=0.001", "batch_normalization"),
    ("randn", "shape, mean=0.0, stddev=1.0, dtype=None, seed=None", "truncated_normal"),
    ("randn", "shape, mean, scale, dtype=None, name=None, seed=None", "random_normal_variable"),
    ("rand", "shape, low, high, dtype=None, name=None, seed=None", "random_uniform_variable"),
    ("rand", "shape, p=0.0, dtype=None, seed=None", "random_binomial random_bernoulli"),
)

RENAME: Final = {"axes": "dim", "indices": "x"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("keras.backend", "keras", {op: names for op, names in PLAIN.items() if op != "l2_normalize"}, RENAME),
    FunctionRow("keras.backend.l2_normalize", "normalize", "keras", const={"p": 2}),
    FunctionRow("keras.backend.identity", "identity", "keras", params="x, name=None"),
    FunctionRow("keras.backend.stop_gradient", "identity", "keras", {"variables": "x"}),
    FunctionRow("keras.backend.logsumexp", "logsumexp", "keras", params="x, axis=None, keepdims=False"),
    FunctionRow("keras.backend.pow", "pow", "keras", {"a": "y"}, params="x, a"),
    FunctionRow("keras.backend.tile", "tile", "keras", {"n": "repeats"}),
    FunctionRow("keras.backend.eye", "eye", "keras", {"size": "n"}),
    FunctionRow("keras.backend.relu", "relu", "keras"),
    FunctionRow("keras.backend.reshape", "reshape", "keras"),
    FunctionRow("keras.backend.permute_dimensions", "permute", "keras", {"pattern": "dims"}),
    FunctionRow("keras.backend.transpose", "permute", "keras", const={"dims": None}),
    FunctionRow("keras.backend.concatenate", "cat", "keras"),
    FunctionRow("keras.backend.stack", "stack", "keras", {"x": "tensors"}),
    FunctionRow("keras.backend.repeat_elements", "repeat_interleave", "keras", {"rep": "repeats"}),
    FunctionRow("keras.backend.clip", "clamp", "keras", {"min_value": "min", "max_value": "max"}),
    FunctionRow("keras.backend.cast", "cast", "keras"),
    FunctionRow("keras.backend.dropout", "dropout", "keras", {"level": "p"}),
    FunctionRow("keras.backend.gather", "take", "keras", {"reference": "x", "indices": "index"}, {"dim": 0}),
    FunctionRow("keras.backend.batch_flatten", "flatten", "keras", const={"start_dim": 1}),
    FunctionRow("keras.backend.flatten", "ravel", "keras"),
    FunctionRow("keras.backend.switch", "where", "keras", {"then_expression": "x", "else_expression": "y"}),
    FunctionRow("keras.backend.variable", "array", "keras", {"value": "data"}),
    FunctionRow("keras.backend.zeros", "zeros", "keras"),
    FunctionRow("keras.backend.ones", "ones", "keras"),
    FunctionRow("keras.backend.arange", "arange", "keras", {"stop": "end"}),
    FunctionRow("keras.backend.random_normal", "randn", "keras"),
    FunctionRow("keras.backend.random_uniform", "rand", "keras"),
    *(FunctionRow(f"keras.backend.{name}", op, "keras", params=params) for op, params, names in MORE for name in names.split()),
    FunctionRow(
        "keras.backend.constant", "array", "keras", {"value": "data"}, params="value, dtype='float32', shape=None, name=None"
    ),
    *(
        FunctionRow(f"keras.backend.{name}", "zero_pad", "keras", const={"spatial": n, "channels_last": True})
        for n, name in ((1, "temporal_padding"), (2, "spatial_2d_padding"), (3, "spatial_3d_padding"))
    ),
)
