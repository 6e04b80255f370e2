"""``K`` functions that are no rows: compiled functions, placeholders, pooling by mode, resizing by factors."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.formats import data_format
from dllint.frameworks.keras.protocols.model import run_graph, symbolic
from dllint.frameworks.keras.protocols.plain import argument, tensors
from dllint.frameworks.keras.protocols.shapes import declared, dtype_of
from dllint.frameworks.keras.protocols.training import as_arrays
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

FUNCTION: Final = "keras.backend.Function"
LIBRARY_BASES[FUNCTION] = ()


@handler("keras.backend.function")
def function(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``K.function(inputs, outputs)``: a callable that gives arrays."""
    made = InstanceVal(LibSymbol(FUNCTION), site=machine.site)
    made.state["inputs"] = tensors(argument(arguments, "inputs", 0))
    made.state["outputs"] = argument(arguments, "outputs", 1)
    return made


@handler(f"{FUNCTION}.__call__", on=InstanceVal)
def call_function(machine: Machine, made: InstanceVal, arguments: Arguments) -> Value:
    """The outputs for the arrays given, as a list; a learning phase among them is no array."""
    fed, wanted = tensors(argument(arguments, "inputs", 0)), made.kept("inputs")
    if not fed or not isinstance(wanted, tuple) or len(fed) != len(wanted):
        return machine.unknown("model-inputs", "keras.backend.function")
    result = as_arrays(machine, run_graph(machine, made, fed))
    return ListVal(list(result)) if isinstance(result, tuple) else result


@handler("keras.backend.placeholder")
def placeholder(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``placeholder(shape=None, ndim=None, dtype=None)``."""
    options = given("shape=None, ndim=None, dtype=None, sparse=False, name=None", arguments)
    shape, rank = options.get("shape"), options.get("ndim")
    if shape is None and isinstance(rank, int):
        shape = (None,) * rank
    known = declared(shape) if shape is not None else Unknown("no-argument", "shape")
    return symbolic(machine, TensorType(known, dtype_of(options.get("dtype"))), "placeholder")


def _pool(machine: Machine, spatial: int, arguments: Arguments) -> Value:
    options = given("x, pool_size, strides=None, padding='valid', data_format=None, pool_mode='max'", arguments)
    layout = data_format(machine, options.get("data_format"))
    args = {
        "x": options.get("x"), "kernel_size": options.get("pool_size"), "stride": options.get("strides") or (1,) * spatial,
        "padding": options.get("padding"), "spatial": spatial,
        "channels_last": layout if isinstance(layout, Unknown) else layout != "channels_first",
    }  # fmt: skip
    op = "avg_pool" if options.get("pool_mode") == "avg" else "max_pool"
    return machine.emit(op, args, framework="keras", spelled=f"keras.backend.pool{spatial}d")


@handler("keras.backend.pool2d")
def pool2d(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Pooling of pictures."""
    return _pool(machine, 2, arguments)


@handler("keras.backend.pool3d")
def pool3d(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Pooling of volumes."""
    return _pool(machine, 3, arguments)


@handler("keras.backend.resize_images")
def resize_images(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Height and width multiplied by whole factors."""
    options = given("x, height_factor, width_factor, data_format=None, interpolation='nearest'", arguments)
    layout = data_format(machine, options.get("data_format"))
    args = {
        "x": options.get("x"), "scale_factor": (options.get("height_factor"), options.get("width_factor")), "spatial": 2,
        "channels_last": layout if isinstance(layout, Unknown) else layout != "channels_first",
    }  # fmt: skip
    return machine.emit("interpolate", args, framework="keras", spelled="keras.backend.resize_images")


@handler("keras.backend.update", "keras.backend.update_add", "keras.backend.update_sub", "keras.backend.moving_average_update",
         "keras.backend.set_value", "keras.backend.batch_set_value", "keras.backend.manual_variable_initialization",
         "keras.backend.reset_uids")  # fmt: skip
def assigned(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Assigns to variables, which keep their shapes."""
    return None


@handler("keras.backend.gradients", "keras.backend.batch_get_value", "keras.backend.count_params")
def of_the_run(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Values of the run."""
    return Unknown("training-result", "keras.backend")
