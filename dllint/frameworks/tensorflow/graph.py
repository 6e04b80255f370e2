"""TensorFlow 1: placeholders, variables, ``tf.layers`` and the functions that TensorFlow 2 renamed or dropped.

That these names are gone is a rule's matter; here they mean what they meant, so that the analysis goes on.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import symbol
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import BATCH, declared, dtype_of
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.frameworks.rows import FunctionRow
from dllint.ir.values import Arguments, LibSymbol, Value

_BINARY: Final = {"sub": "sub", "mul": "mul", "div": "div"}
_UNARY: Final = {
    "neg": "neg",
    "log": "log",
    "log1p": "log1p",
    "ceil": "ceil",
    "rsqrt": "rsqrt",
    "erf": "erf",
    "is_nan": "isnan",
}
_RANDOM: Final = "shape, mean=0.0, stddev=1.0, dtype=None, seed=None, name=None"

ROWS: Final[tuple[FunctionRow, ...]] = (
    *(FunctionRow(f"tensorflow.{name}", op, "tensorflow", params="x, y, name=None") for name, op in _BINARY.items()),
    *(FunctionRow(f"tensorflow.{name}", op, "tensorflow", params="x, name=None") for name, op in _UNARY.items()),
    FunctionRow("tensorflow.batch_matmul", "matmul", "tensorflow", params="x, y, adj_x=False, adj_y=False, name=None"),
    FunctionRow("tensorflow.random_normal", "randn", "tensorflow", params=_RANDOM),
    FunctionRow("tensorflow.truncated_normal", "randn", "tensorflow", params=_RANDOM),
    FunctionRow(
        "tensorflow.random_uniform",
        "rand",
        "tensorflow",
        params="shape, minval=0, maxval=None, dtype=None, seed=None, name=None",
    ),
)


@handler("tensorflow.placeholder", "tensorflow.compat.v1.placeholder", "tensorflow.sparse_placeholder")
def placeholder(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``placeholder(dtype, shape=None)``: a first free axis is the batch."""
    shape = argument(arguments, "shape", 1)
    if shape is None:
        return machine.tensor(
            TensorType(Unknown("no-argument", "shape"), dtype_of(argument(arguments, "dtype", 0))), framework="tensorflow"
        )
    sizes = (shape,) if is_size(shape) else shape
    free = isinstance(sizes, tuple) and len(sizes) > 0 and sizes[0] is None
    found: Shape | Unknown = (BATCH, *_rest(sizes[1:])) if free else declared(sizes)
    return machine.tensor(
        TensorType(found, dtype_of(argument(arguments, "dtype", 0))), framework="tensorflow", name="placeholder"
    )


def _rest(sizes: tuple[Value, ...]) -> Shape:
    return tuple(d if is_size(d) else symbol(f"N{i}", "input") for i, d in enumerate(sizes, 1))


@handler("tensorflow.get_variable", "tensorflow.compat.v1.get_variable")
def get_variable(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``get_variable(name, shape, dtype)``."""
    shape = argument(arguments, "shape", 1)
    dtype = dtype_of(argument(arguments, "dtype", 2))
    if shape is None:
        initial = plain(arguments.kwargs.get("initializer"))
        return initial if hasattr(initial, "shape") else machine.unknown("no-argument", "shape")
    return machine.tensor(TensorType(declared(shape), dtype), framework="tensorflow", name="variable")


@handler("tensorflow.nn.xw_plus_b", "tensorflow.compat.v1.nn.xw_plus_b", "tensorflow.nn.relu_layer")
def affine(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``x @ weights + biases``."""
    x, weights, biases = (argument(arguments, name, i) for i, name in enumerate(("x", "weights", "biases")))
    product = machine.emit("matmul", {"x": x, "y": weights}, framework="tensorflow", spelled="tensorflow.nn.xw_plus_b")
    return machine.emit("add", {"x": product, "y": biases}, framework="tensorflow", spelled="tensorflow.nn.xw_plus_b")


#: ``tf.layers`` function → Keras layer with the same arguments after the inputs.
_LAYERS: Final = {
    "dense": "Dense", "conv1d": "Conv1D", "conv2d": "Conv2D", "conv3d": "Conv3D", "conv2d_transpose": "Conv2DTranspose",
    "separable_conv2d": "SeparableConv2D", "max_pooling1d": "MaxPooling1D", "max_pooling2d": "MaxPooling2D",
    "average_pooling2d": "AveragePooling2D", "flatten": "Flatten", "dropout": "Dropout",
    "batch_normalization": "BatchNormalization",
}  # fmt: skip
_OF_THE_CALL: Final = ("inputs", "training", "reuse", "name")


def _layer(name: str) -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        kwargs = {k: v for k, v in arguments.kwargs.items() if k not in _OF_THE_CALL}
        layer = machine.call(LibSymbol(f"keras.layers.{name}"), Arguments(arguments.args[1:], kwargs))
        return machine.call(layer, Arguments((argument(arguments, "inputs", 0),)))

    return call


for _name, _keras in _LAYERS.items():
    for _home in ("tensorflow.layers", "tensorflow.compat.v1.layers"):
        handler(f"{_home}.{_name}")(_layer(_keras))


@handler("tensorflow.compat.v1.global_variables_initializer", "tensorflow.global_variables_initializer",
         "tensorflow.initialize_all_variables", "tensorflow.reset_default_graph", "tensorflow.disable_v2_behavior")  # fmt: skip
def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes no shape."""
    return None


@handler("tensorflow.to_float")
def to_float(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``cast(x, float32)``."""
    args = {"x": argument(arguments, "x", 0), "dtype": FLOAT32}
    return machine.emit("cast", args, framework="tensorflow", spelled="tensorflow.to_float")
