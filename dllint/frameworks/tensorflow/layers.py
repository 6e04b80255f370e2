"""``tf.layers``: each function builds a Keras layer with the same arguments and applies it."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, LibSymbol, Value

#: ``tf.layers`` function → Keras layer with the same arguments after the inputs.
LAYERS: Final = {
    "dense": "Dense", "conv1d": "Conv1D", "conv2d": "Conv2D", "conv3d": "Conv3D", "conv2d_transpose": "Conv2DTranspose",
    "conv3d_transpose": "Conv3DTranspose", "separable_conv2d": "SeparableConv2D", "separable_conv1d": "SeparableConv1D",
    **{f"max_pooling{n}d": f"MaxPooling{n}D" for n in (1, 2, 3)},
    **{f"average_pooling{n}d": f"AveragePooling{n}D" for n in (1, 2, 3)},
    "flatten": "Flatten", "dropout": "Dropout", "batch_normalization": "BatchNormalization",
}  # fmt: skip
_OF_THE_CALL: Final = ("inputs", "training", "reuse", "name", "trainable", "activity_regularizer", "_reuse", "fused", "renorm")


def input_precision(x: Value) -> dict[str, Value]:
    """TensorFlow 1's layers compute in the type of their input, if it is a floating-point one."""
    dtype = x.dtype if isinstance(x, TensorVal) else None
    return {"dtype": dtype} if isinstance(dtype, Unknown) or (isinstance(dtype, DType) and dtype.kind == "float") else {}


def _layer(name: str) -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        kwargs = {k: v for k, v in arguments.kwargs.items() if k not in _OF_THE_CALL}
        nodes: dict[int | str, object] = {k - 1: v for k, v in arguments.nodes.items() if isinstance(k, int) and k}
        nodes |= {k: v for k, v in arguments.nodes.items() if k in kwargs}
        x = argument(arguments, "inputs", 0)
        kwargs = input_precision(x) | kwargs
        layer = machine.call(LibSymbol(f"keras.layers.{name}"), Arguments(arguments.args[1:], kwargs, nodes=nodes))
        return machine.call(layer, Arguments((x,)))

    return call


for _name, _keras in LAYERS.items():
    handler(f"tensorflow.layers.{_name}")(_layer(_keras))
