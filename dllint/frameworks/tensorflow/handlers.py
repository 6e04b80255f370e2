"""TensorFlow names that are no row: losses on logits, data sets, shapes as lists."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, ListVal, Value


def _plain(value: Value) -> Value:
    value = value.value if isinstance(value, Assumed) else value
    return tuple(map(_plain, value.items)) if isinstance(value, ListVal) and value.rest is None else value


def _get(arguments: Arguments, name: str, position: int, default: Value = None) -> Value:
    if position < len(arguments.args):
        return _plain(arguments.args[position])
    return _plain(arguments.kwargs.get(name, default))


def _logit_loss(name: str, kind: str) -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        args = {"x": _get(arguments, "logits", 1), "target": _get(arguments, "labels", 0), "reduction": "none"}
        if kind == "bce_with_logits":
            return machine.emit(kind, args, framework="tensorflow", spelled=name)
        return machine.emit("keras_loss", {**args, "kind": kind, "from_logits": True}, framework="tensorflow", spelled=name)

    return call


for _name, _kind in (
    ("sigmoid", "bce_with_logits"),
    ("softmax", "categorical_crossentropy"),
    ("sparse_softmax", "sparse_categorical_crossentropy"),
):
    _full = f"tensorflow.nn.{_name}_cross_entropy_with_logits"
    handler(_full)(_logit_loss(_full, _kind))


@handler("tensorflow.constant", "keras.backend.constant")
def constant(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``constant(value, dtype=None, shape=None)``: with a shape, the value fills it."""
    value, dtype, shape = _get(arguments, "value", 0), _get(arguments, "dtype", 1), _get(arguments, "shape", 2)
    if shape is not None and not isinstance(value, tuple):
        args = {"shape": shape, "fill_value": value, "dtype": dtype}
        return machine.emit("full", args, framework="tensorflow", spelled="tensorflow.constant")
    filled = machine.emit("array", {"data": value, "dtype": dtype}, framework="tensorflow", spelled="tensorflow.constant")
    if shape is None:
        return filled
    return machine.emit("reshape", {"x": filled, "shape": shape}, framework="tensorflow", spelled="tensorflow.constant")


@handler("tensorflow.Tensor.get_shape", "keras.KerasTensor.get_shape")
def get_shape(machine: Machine, tensor: Value, arguments: Arguments) -> Value:
    """The static shape."""
    return machine.getattr(tensor, "shape")


@handler("builtins.tuple.as_list", "builtins.shape.as_list")
def as_list(machine: Machine, shape: Value, arguments: Arguments) -> Value:
    """``TensorShape.as_list``: a shape is held as a tuple of sizes."""
    return ListVal(list(shape)) if isinstance(shape, tuple) else Unknown("unknown-rank", "as_list")


@handler("tensorflow.Tensor.numpy", "keras.KerasTensor.numpy")
def numpy(machine: Machine, tensor: Value, arguments: Arguments) -> Value:
    """The values as an array."""
    return machine.emit("array", {"data": tensor}, framework="numpy", spelled="tensorflow.Tensor.numpy")


@handler("tensorflow.Tensor.set_shape", "keras.KerasTensor.set_shape", "tensorflow.config.set_visible_devices")
def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes no value we follow."""
    return None


@handler("tensorflow.size")
def size(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of elements."""
    x = _get(arguments, "input", 0)
    return machine.getattr(x, "size") if isinstance(x, TensorVal) else machine.unknown("no-tensor", "tensorflow.size")
