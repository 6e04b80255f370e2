"""Activation layers."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.rows import LayerRow
from dllint.frameworks.torch.layers.row import row

#: Layer class → canonical operation.
ACTIVATIONS: Final = {
    "ReLU": "relu", "ReLU6": "relu6", "LeakyReLU": "leaky_relu", "ELU": "elu", "SELU": "selu", "CELU": "celu", "GELU": "gelu",
    "SiLU": "silu", "Mish": "mish", "Softplus": "softplus", "Softsign": "softsign", "Softshrink": "softshrink",
    "Hardshrink": "hardshrink", "Tanhshrink": "tanhshrink", "Hardtanh": "hardtanh", "Hardsigmoid": "hardsigmoid",
    "Hardswish": "hardswish", "Threshold": "threshold", "GLU": "glu", "Tanh": "tanh", "Sigmoid": "sigmoid",
    "LogSigmoid": "logsigmoid", "Softmax": "softmax", "Softmin": "softmin", "LogSoftmax": "log_softmax",
}  # fmt: skip
#: A slope between ``lower`` and ``upper``, which is drawn in training.
RANDOM_SLOPE: Final = {"negative_slope": Unknown("random", "slope")}
ROWS: Final[tuple[LayerRow, ...]] = (
    *(row(name, op) for name, op in ACTIVATIONS.items()),
    row("PReLU", "prelu", trainable=True),
    row("RReLU", "leaky_relu", const=RANDOM_SLOPE),
    row("Softmax2d", "softmax", const={"dim": -3}),
    row("Identity", "identity", params="*args, **kwargs"),
)
