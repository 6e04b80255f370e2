"""The life of a Keras layer: construction, building on the first input, and the call."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final

import libcst as cst

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.keras.layers.merging import ELEMENTWISE
from dllint.frameworks.keras.layers.preprocessing import TAKING_NUMBERS
from dllint.frameworks.keras.layers.rows import LAYERS
from dllint.frameworks.keras.protocols.activation import activate
from dllint.frameworks.keras.protocols.convert import canonical_arguments
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.keras.protocols.shapes import declared, dtype_of, shape_value
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.ir.events import ModuleCall
from dllint.ir.program import COMPUTE_DTYPE, TensorVal
from dllint.ir.values import Arguments, BoundVal, FuncVal, InstanceVal, Value
from dllint.ops import faults

LAYER: Final = "keras.layers.Layer"
#: Operations whose layers take an initial state.
RECURRENT: Final = frozenset({"rnn", "conv_rnn"})
#: The operation of the cells that recurrent layers are made of.
CELL: Final = "rnn_cell"
#: Layers whose call takes several tensors; :mod:`merging` and :mod:`attention` have their handlers.
SPECIAL: Final = frozenset(
    f"keras.layers.{name}"
    for name in (
        *ELEMENTWISE,
        "Concatenate",
        "Dot",
        "MultiHeadAttention",
        "GroupQueryAttention",
        "Attention",
        "AdditiveAttention",
    )
)
LIBRARY_BASES.update(dict.fromkeys(LAYERS, (LAYER,)))


@handler(f"{LAYER}.__call__", *(f"{name}.__call__" for name in LAYERS if name not in SPECIAL), on=InstanceVal)
def call_layer(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    """``layer(inputs)``: builds the layer if need be, performs its operation, records the call."""
    user_call = machine.find_method(layer.cls, "call")
    if user_call is not None:
        result = call_user_layer(machine, layer, user_call, arguments)
    else:
        result = _call_library_layer(machine, layer, arguments)
    return called(machine, layer, arguments, result)


#: What a layer does with its arguments.
LayerCall = Callable[[Machine, InstanceVal, Arguments], Value]


def layer_call(*names: str) -> Callable[[LayerCall], LayerCall]:
    """Register what layers of the library do when they are called. One of a derived class with a ``call`` of its own does that
    instead."""

    def register(function: LayerCall) -> LayerCall:
        @wraps(function)
        def call(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
            if machine.find_method(layer.cls, "call") is not None:
                return call_layer(machine, layer, arguments)
            return function(machine, layer, arguments)

        handler(*(f"{name}.__call__" for name in names), on=InstanceVal)(call)
        return function

    return register


def called(machine: Machine, layer: InstanceVal, arguments: Arguments, result: Value) -> Value:
    """Record that a layer was applied; ``layer.input`` and ``layer.output`` are those of the last call."""
    machine.write(layer.state, "input", arguments.args[0] if arguments.args else None)
    machine.write(layer.state, "output", result)
    machine.event(ModuleCall, callee=layer, args=arguments.args, keywords=arguments.kwargs, result=result)
    return result


def call_user_layer(machine: Machine, layer: InstanceVal, method: Value, arguments: Arguments) -> Value:
    """``build(input_shape)`` once, then ``call``; ``training`` and ``mask`` only if ``call`` takes them."""
    first = arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None)
    build(machine, layer, first)
    taken = _parameters(method)
    kwargs = {k: v for k, v in arguments.kwargs.items() if taken is None or k not in ("training", "mask") or k in taken}
    args = tuple(_in_precision(machine, layer, value) for value in arguments.args)
    passed = Arguments(args, kwargs, arguments.star, arguments.double_star, arguments.nodes)
    return machine.call(BoundVal(method, layer), passed)


def _in_precision(machine: Machine, layer: InstanceVal, value: Value) -> Value:
    """An input in the type that the layer computes in, if a policy sets one."""
    dtype = layer.state.get(COMPUTE_DTYPE)
    if dtype is None or not isinstance(value, TensorVal) or value.dtype == dtype:
        return value
    if not isinstance(value.dtype, DType) or value.dtype.kind != "float":
        return value
    return machine.emit("cast", {"x": value, "dtype": dtype}, framework="keras", spelled="keras.layers.Layer.__call__")


def build(machine: Machine, layer: InstanceVal, first: Value) -> None:
    """Call a user-defined ``build`` with the shape of the first input, unless it ran before."""
    if "built" in layer.state or machine.find_method(layer.cls, "build") is None:
        return
    machine.write(layer.state, "built", True)
    machine.call_method(layer, "build", shape_value(machine, first))


def _parameters(method: Value) -> set[str] | None:
    """The names a user function takes, ``None`` if it takes any keyword or is not a plain function."""
    if not isinstance(method, FuncVal):
        return None
    params = method.node.params
    if params.star_kwarg is not None:
        return None
    return {p.name.value for p in (*params.posonly_params, *params.params, *params.kwonly_params)}


def _call_library_layer(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    if layer.layer is None:
        return machine.unknown("unmodelled-layer", getattr(layer.cls, "name", ""))
    x, state = argument(arguments, "inputs", 0), None
    if layer.layer.row.name not in TAKING_NUMBERS and is_written_number(x, arguments):
        args = {"refused": "inputs", "reason": "a layer takes tensors, not numbers"}
        return machine.emit("library_call", args, framework="keras", spelled=layer.layer.row.name)
    if layer.layer.row.op == CELL and _lacks_states(arguments):
        missing: dict[str, Value] = {"x": x, "refused": "states", "reason": faults.MISSING}
        return machine.emit("library_call", missing, framework="keras", spelled=layer.layer.row.name)
    if layer.layer.row.op in RECURRENT:
        x, state = sequence_and_state(x, arguments)
    return apply_row(machine, layer, x, {"initial_state": state} if state is not None else {})


def _lacks_states(arguments: Arguments) -> bool:
    """Whether a recurrent cell is called without the states of the step before, which it has no default for."""
    surely = arguments.star is None and arguments.double_star is None
    return surely and len(arguments.args) < 2 and "states" not in arguments.kwargs


def is_written_number(x: Value, arguments: Arguments) -> bool:
    """Whether a layer is called with a number that stands in the source. Those of Keras 3 refuse it; what is computed may be a
    number to the analysis and an array to them."""
    node = arguments.nodes.get(0)
    if type(x) not in (bool, int, float) or not isinstance(node, cst.Arg):
        return False
    written = node.value.expression if isinstance(node.value, cst.UnaryOperation) else node.value
    return isinstance(written, cst.BaseNumber) or (isinstance(written, cst.Name) and written.value in ("True", "False"))


def sequence_and_state(x: Value, arguments: Arguments) -> tuple[Value, Value]:
    """The sequence and the state that a recurrent layer is called with: ``layer(x, initial_state=s)``, or ``layer([x, s])``."""
    state = plain(arguments.kwargs.get("initial_state"))
    if state is None and isinstance(x, tuple) and len(x) > 1:
        return x[0], x[1:]
    return x, (state,) if isinstance(state, TensorVal) else state


def apply_row(machine: Machine, layer: InstanceVal, x: Value, more: dict[str, Value] | None = None) -> Value:
    """The operation of a library layer on ``x``, followed by the activation it was built with. ``more`` are tensors that the
    result depends on and that do not change its type."""
    config = layer.layer
    assert config is not None
    if not isinstance(x, TensorVal):
        return x if isinstance(x, Unknown) else machine.unknown("no-tensor", config.row.name)
    args = {**canonical_arguments(machine, layer, x), **(more or {})}
    result = machine.emit(config.row.op, {"x": x, **args}, framework="keras", spelled=config.row.name, layer=layer)
    if not config.row.activation:
        return result
    return activate(machine, config.args.get(config.row.activation), result, layer)


@handler("keras.layers.Layer.add_weight", "keras.layers.Layer.add_variable")
def add_weight(machine: Machine, layer: Value, arguments: Arguments) -> Value:
    """A weight of the given shape. Keras 1 and 2 also took the name first."""
    args = arguments.args[1:] if arguments.args and isinstance(plain(arguments.args[0]), str) else arguments.args
    shifted = Arguments(args, arguments.kwargs, arguments.star, arguments.double_star)
    shape = argument(shifted, "shape", 0, ())
    dtype = dtype_of(shifted.kwargs.get("dtype"))
    return machine.tensor(TensorType(declared(() if shape is None else shape), dtype), framework="keras", name="weight")


@handler("keras.layers.Layer.add_loss", "keras.layers.Layer.add_metric", "keras.layers.Layer.build_from_config")
def nothing(machine: Machine, layer: Value, arguments: Arguments) -> Value:
    """Bookkeeping that changes no value."""
    return None
