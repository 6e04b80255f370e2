"""Activations: ``keras.activations`` functions and the strings that name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.frameworks.keras.functions.row import rows
from dllint.frameworks.rows import FunctionRow
from dllint.ir.values import Value

#: Identifier of an activation → canonical operation. ``None`` and ``linear`` are no operation.
ACTIVATIONS: Final = {
    "relu": "relu", "relu6": "relu6", "leaky_relu": "leaky_relu", "elu": "elu", "selu": "selu", "celu": "celu", "gelu": "gelu",
    "silu": "silu", "swish": "silu", "mish": "mish", "softplus": "softplus", "softsign": "softsign", "sigmoid": "sigmoid",
    "tanh": "tanh", "softmax": "softmax", "log_softmax": "log_softmax", "log_sigmoid": "logsigmoid", "exponential": "exp",
    "hard_sigmoid": "hardsigmoid", "hard_silu": "hardswish", "hard_swish": "hardswish", "hard_tanh": "hardtanh",
    "hard_shrink": "hardshrink", "soft_shrink": "softshrink", "tanh_shrink": "tanhshrink", "threshold": "threshold",
    "linear": "identity", **dict.fromkeys(("sparsemax", "sparse_plus", "squareplus"), "unknown_activation"),
}  # fmt: skip

#: Canonical parameters an activation named by a string is called with, where there are any.
FIXED: Final[Mapping[str, Mapping[str, Value]]] = {"softmax": {"dim": -1}, "log_softmax": {"dim": -1}}

_BY_OP: Final = {op: " ".join(n for n, o in ACTIVATIONS.items() if o == op) for op in dict.fromkeys(ACTIVATIONS.values())}

#: ``linear`` is a handler of its own: what it is given need not be a tensor.
ROWS: Final[tuple[FunctionRow, ...]] = tuple(
    row for row in rows("keras.activations", "keras", _BY_OP) if row.name != "keras.activations.linear"
)
