"""Placeholders, variables and constants."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, symbol
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import dtype_of
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.tensorflow.initializers import initial
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

_VARIABLE: Final = (
    "initial_value=None, trainable=None, *rest, name=None, dtype=None, validate_shape=True, shape=None, **options"
)
_GET: Final = "name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, *rest, **options"


@handler("tensorflow.placeholder", "tensorflow.sparse_placeholder")
def placeholder(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``placeholder(dtype, shape=None)``: a first free axis is called ``B``, as a batch."""
    asked = given("dtype=None, shape=None, name=None", arguments)
    shape, dtype = plain(asked["shape"]), dtype_of(asked["dtype"])
    if shape is None or isinstance(shape, Unknown):
        unknown = Unknown("no-argument", "shape") if shape is None else shape
        return machine.tensor(TensorType(unknown, dtype), framework="tensorflow", name="placeholder")
    sizes = (shape,) if is_size(shape) else shape
    if not isinstance(sizes, tuple):
        return machine.tensor(TensorType(Unknown("no-argument", "shape"), dtype), framework="tensorflow", name="placeholder")
    free = tuple(_free(axis) if size is None else size for axis, size in enumerate(sizes))
    return machine.emit(
        "placeholder", {"shape": free, "dtype": dtype}, framework="tensorflow", spelled="tensorflow.placeholder"
    )


def _free(axis: int) -> Dim:
    """A size of its own for each placeholder: nothing says that two of them are fed equal batches."""
    return symbol("B" if axis == 0 else f"N{axis}", "input")


@handler("tensorflow.placeholder_with_default")
def placeholder_with_default(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``placeholder_with_default(input, shape)``: a placeholder of that shape."""
    asked = given("input=None, shape=None, name=None", arguments)
    default = machine.emit("array", {"data": plain(asked["input"])}, framework="tensorflow", spelled="tensorflow.placeholder")
    dtype = default.dtype if isinstance(default, TensorVal) else None
    return placeholder(machine, None, Arguments((dtype, asked["shape"])))


@handler("tensorflow.Variable", "tensorflow.contrib.framework.local_variable")
def variable(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Variable(initial_value)``: the value may be a function that makes it."""
    asked = given(_VARIABLE, arguments)
    value = plain(asked["initial_value"])
    if callable_without_arguments(value):
        value = machine.call(value, Arguments())
    trainable = _trainable(asked["trainable"])
    if _is_open(plain(asked["shape"])):
        value, trainable = _of_any_shape(machine, value), {"trainable": False}
    args = {"data": value, "dtype": asked["dtype"], **trainable}
    return machine.emit("variable", args, framework="tensorflow", spelled="tensorflow.Variable")


def _is_open(shape: Value) -> bool:
    """Whether a variable of a given shape may be assigned values of other shapes than its first; no optimizer trains such."""
    return isinstance(shape, Unknown) or (isinstance(shape, tuple) and None in shape)


def _of_any_shape(machine: Machine, value: Value) -> TensorVal:
    """A tensor of the type of a value."""
    first = machine.emit("array", {"data": value}, framework="tensorflow", spelled="tensorflow.Variable")
    dtype = first.dtype if isinstance(first, TensorVal) else Unknown("no-argument", "dtype")
    return machine.tensor(TensorType(Unknown("run-time", "shape"), dtype), framework="tensorflow", name="variable")


def _trainable(given: Value) -> dict[str, Value]:
    """Given only where it is not as usual."""
    return {"trainable": False} if plain(given) is False else {}


def callable_without_arguments(value: Value) -> bool:
    """Whether a value is a function rather than data."""
    return type(value).__name__ in ("FuncVal", "PartialVal", "BoundVal", "NativeVal")


@handler("tensorflow.get_variable", "tensorflow.get_local_variable", "tensorflow.contrib.framework.variable",
         "tensorflow.contrib.framework.model_variable")  # fmt: skip
def get_variable(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``get_variable(name, shape, dtype, initializer)``: the shape may be the initial value's."""
    asked = given(_GET, arguments)
    shape, dtype, initializer = plain(asked["shape"]), asked["dtype"], plain(asked["initializer"])
    if is_size(shape):
        shape = (shape,)
    is_data = isinstance(initializer, (TensorVal, tuple, float, int))
    if shape is None and not is_data:
        return machine.unknown("no-argument", "shape of a variable")
    if plain(dtype) is None and not is_data and not isinstance(initializer, Unknown):
        dtype = FLOAT32  # whatever type the numbers of an initializer have
    value = initial(machine, asked["initializer"], shape, dtype)
    args = {"data": value, "dtype": dtype, **_trainable(asked["trainable"])}
    return machine.emit("variable", args, framework="tensorflow", spelled="tensorflow.get_variable")


@handler("tensorflow.constant", "keras.backend.constant")
def constant(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``constant(value, dtype=None, shape=None)``: with a shape, the value fills it."""
    asked = given("value=None, dtype=None, shape=None, name='Const', verify_shape=False", arguments)
    value, dtype, shape = plain(asked["value"]), asked["dtype"], plain(asked["shape"])
    if shape is not None and not isinstance(value, (tuple, TensorVal)):
        args = {"shape": shape, "fill_value": value, "dtype": dtype}
        return machine.emit("full", args, framework="tensorflow", spelled="tensorflow.constant")
    filled = machine.emit("array", {"data": value, "dtype": dtype}, framework="tensorflow", spelled="tensorflow.constant")
    if shape is None:
        return filled
    return machine.emit("reshape", {"x": filled, "shape": shape}, framework="tensorflow", spelled="tensorflow.constant")


_ASSIGNING: Final = ("assign", "assign_add", "assign_sub")


@handler(*(f"tensorflow.{name}" for name in _ASSIGNING))
def assign(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``assign(ref, value)``: the variable; a value of another shape does not fit."""
    return _assigned(machine, argument(arguments, "ref", 0), argument(arguments, "value", 1), arguments)


@handler(*(f"tensorflow.Tensor.{name}" for name in _ASSIGNING))
def assign_method(machine: Machine, reference: Value, arguments: Arguments) -> Value:
    """``variable.assign(value)``."""
    return _assigned(machine, reference, argument(arguments, "value", 0), arguments)


def _assigned(machine: Machine, reference: Value, value: Value, arguments: Arguments) -> Value:
    checked = plain(arguments.kwargs.get("validate_shape", True))
    args = {"x": value, "variable": reference, "validate_shape": checked}
    return machine.emit("assign", args, framework="tensorflow", spelled="tensorflow.assign")


@handler("tensorflow.Tensor.initialized_value", "tensorflow.Tensor.read_value", "tensorflow.Tensor.value")
def itself(machine: Machine, tensor: Value, arguments: Arguments) -> Value:
    """The variable's value has its type."""
    return tensor


@handler("tensorflow.Tensor.set_shape", "keras.KerasTensor.set_shape")
def set_shape(machine: Machine, tensor: Value, arguments: Arguments) -> Value:
    """What is not known from the graph is given by the program: a tensor of unknown rank or sizes gets those it names."""
    shape = argument(arguments, "shape", 0)
    if isinstance(tensor, TensorVal) and isinstance(shape, tuple):
        _refine(machine, tensor, shape)
    return None


@handler("tensorflow.ensure_shape")
def ensure_shape(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The tensor, whose unknown sizes are those that it names: another one raises when it runs."""
    tensor = argument(arguments, "x", 0)
    given = machine.emit("identity", {"x": tensor}, framework="tensorflow", spelled="tensorflow.ensure_shape")
    set_shape(machine, given, Arguments((argument(arguments, "shape", 1),)))
    return given


def _refine(machine: Machine, tensor: TensorVal, shape: tuple[Value, ...]) -> None:
    known = tensor.shape
    if isinstance(known, Unknown):
        found = tuple(size if is_size(size) else _free(axis) for axis, size in enumerate(shape))
    elif len(known) == len(shape):
        found = tuple(_more_exact(new, old) for new, old in zip(shape, known, strict=True))
    else:
        return
    machine.refine(tensor, tensor.type.with_shape(found))


def _more_exact(written: Value, known: Dim) -> Dim:
    return written if isinstance(written, int) and is_size(written) else known
