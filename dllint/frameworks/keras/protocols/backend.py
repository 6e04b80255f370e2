"""Functions on shapes and graphs: ``K.int_shape``, ``ops.shape``, ``is_keras_tensor``, and what changes no value."""

from __future__ import annotations

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import INT32, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import numel
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import dtype_of, shape_value
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, PartsVal, SizesVal, TensorSize, Value


@handler("keras.backend.int_shape", "keras.ops.shape", "keras.backend.get_variable_shape")
def shape(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The shape as a tuple of sizes; rows are made a tensor first."""
    return _of_rows(machine, plain(next(iter((*arguments.args, *arguments.kwargs.values())), None)))


def _of_rows(machine: Machine, value: Value) -> Value:
    if isinstance(value, (int, float, DimExpr, UnknownFloat)):
        return ()
    if not isinstance(value, tuple):
        return shape_value(machine, value)
    inner = _of_rows(machine, value[0]) if value and not isinstance(value, PartsVal) else Unknown("no-argument", "rows")
    return (len(value), *inner) if isinstance(inner, tuple) else inner


@handler("keras.backend.shape", "tensorflow.shape")
def shape_vector(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The shape as a vector of sizes."""
    found = shape(machine, None, arguments)
    return SizesVal(tensor_size(machine, size, arguments) for size in found) if isinstance(found, tuple) else found


@handler("tensorflow.rank")
def rank(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of axes, a tensor."""
    return tensor_size(machine, machine.getattr(argument(arguments, "input", 0), "ndim"), arguments)


@handler("tensorflow.size")
def size(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of elements, a tensor."""
    x = argument(arguments, "input", 0)
    if isinstance(x, TensorVal) and not isinstance(x.shape, Unknown):
        return tensor_size(machine, numel(x.shape), arguments)
    return machine.unknown("no-tensor", "tensorflow.size")


def tensor_size(machine: Machine, value: Value, arguments: Arguments) -> Value:
    """A size that a function of TensorFlow gives: a tensor of 32-bit integers unless another type is asked for. A symbol
    stays a number."""
    if not is_size(value) or not isinstance(value, int):
        return value
    wanted = arguments.kwargs.get("out_type")
    dtype = INT32 if wanted is None else dtype_of(wanted)
    if dtype == INT32:
        return TensorSize(value)
    if not isinstance(dtype, DType):
        return machine.unknown("argument", "out_type")
    args: dict[str, Value] = {"data": value, "dtype": dtype}
    return machine.emit("tensor", args, framework="tensorflow", spelled="tensorflow.constant")


@handler("keras.backend.ndim", "keras.ops.ndim")
def ndim(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of axes."""
    return machine.getattr(argument(arguments, "x", 0), "ndim")


@handler("keras.backend.dtype", "keras.ops.dtype", "keras.backend.standardize_dtype")
def dtype(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An element type by name."""
    found = argument(arguments, "x", 0)
    return machine.getattr(found, "dtype") if isinstance(found, TensorVal) else dtype_of(found)


@handler("keras.backend.is_keras_tensor", "keras.ops.is_tensor", "keras.backend.is_tensor", "tensorflow.is_tensor")
def is_tensor(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Whether the argument is a tensor."""
    found = argument(arguments, "x", 0)
    if isinstance(found, TensorVal):
        return found.framework != "numpy"
    return False if found is None or is_size(found) else machine.unknown("is-tensor")


@handler("keras.backend.learning_phase", "keras.backend.get_session", "keras.backend.get_uid")
def run_time(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Facts of the running process."""
    return machine.unknown("run-time", "keras.backend")


@handler("keras.backend.clear_session", "keras.utils.clear_session", "keras.backend.set_learning_phase",
         "keras.backend.set_session", "keras.utils.set_random_seed", "keras.utils.plot_model",
         "tensorflow.random.set_seed")  # fmt: skip
def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes no value."""
    return None


@handler("keras.backend.dot")
def dot(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``K.dot``: numpy's dot over the batch, too."""
    operands = {"x": argument(arguments, "x", 0), "y": argument(arguments, "y", 1)}
    return machine.emit("np_dot", operands, framework="keras", spelled="keras.backend.dot")


@handler("keras.backend.batch_dot")
def batch_dot(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``K.batch_dot(x, y, axes)``; the last of ``x`` and the last but one of ``y`` without ``axes``."""
    x, y, axes = (argument(arguments, name, i) for i, name in enumerate(("x", "y", "axes")))
    if (
        axes is None
        and isinstance(x, TensorVal)
        and isinstance(y, TensorVal)
        and x.type.rank is not None
        and y.type.rank is not None
    ):
        axes = (x.type.rank - 1, 1 if y.type.rank == 2 else y.type.rank - 2)
    return machine.emit(
        "batch_dot", {"x": x, "y": y, "axes": plain(axes)}, framework="keras", spelled="keras.backend.batch_dot"
    )


@handler("keras.utils.get_source_inputs", "keras.ops.get_source_inputs")
def source_inputs(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The symbolic inputs a tensor was computed from."""
    return argument(arguments, "tensor", 0)
