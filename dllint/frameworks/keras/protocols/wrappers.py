"""Layers that hold another layer or a function: TimeDistributed, Bidirectional, RNN, Lambda, SpectralNormalization."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.protocols.construct import keep_base_keywords
from dllint.frameworks.keras.protocols.convert import canonical_arguments
from dllint.frameworks.keras.protocols.layer import LAYER, called, layer_call, sequence_and_state
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, Value

WRAPPERS = ("TimeDistributed", "Bidirectional", "SpectralNormalization", "Wrapper", "RNN", "Lambda")
LIBRARY_BASES.update({f"keras.layers.{name}": (LAYER,) for name in WRAPPERS})


@constructor(*(f"keras.layers.{name}" for name in ("TimeDistributed", "SpectralNormalization", "Wrapper")))
def construct_wrapper(machine: Machine, wrapper: InstanceVal, arguments: Arguments) -> None:
    """``Wrapper(layer)``."""
    _keep(machine, wrapper, arguments, "layer")


def _keep(machine: Machine, wrapper: InstanceVal, arguments: Arguments, *names: str) -> None:
    for position, name in enumerate(names):
        machine.write(wrapper.state, name, argument(arguments, name, position))
        if position == 0:
            machine.write(wrapper.attrs, name, wrapper.kept(name))
    keep_base_keywords(machine, wrapper, arguments)


@layer_call("keras.layers.TimeDistributed")
def call_time_distributed(machine: Machine, wrapper: InstanceVal, arguments: Arguments) -> Value:
    """The inner layer on every step: (batch, time, …) is seen by it as (batch·time, …)."""
    x = argument(arguments, "inputs", 0)
    inner = wrapper.state.get("layer")
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown):
        return x if isinstance(x, Unknown) else machine.unknown("no-tensor", "TimeDistributed")
    if len(x.shape) < 3:
        return machine.emit("time_steps", {"x": x}, framework="keras", layer=wrapper)
    steps = machine.emit("time_steps", {"x": x}, framework="keras", spelled="keras.layers.TimeDistributed", layer=wrapper)
    out = machine.call(inner, Arguments((steps,)))
    result = machine.emit(
        "time_join", {"x": out, "batch": x.shape[0], "time": x.shape[1]}, framework="keras",
        spelled="keras.layers.TimeDistributed",
        layer=wrapper,
    )  # fmt: skip
    return called(machine, wrapper, arguments, result)


@layer_call("keras.layers.SpectralNormalization", "keras.layers.Wrapper")
def call_wrapped(machine: Machine, wrapper: InstanceVal, arguments: Arguments) -> Value:
    """The inner layer as it is."""
    return machine.call(wrapper.state.get("layer"), arguments)


@constructor("keras.layers.Bidirectional")
def construct_bidirectional(machine: Machine, wrapper: InstanceVal, arguments: Arguments) -> None:
    """``Bidirectional(layer, merge_mode="concat")``."""
    _keep(machine, wrapper, arguments, "layer")
    machine.write(wrapper.state, "merge_mode", argument(arguments, "merge_mode", 1, "concat"))


@layer_call("keras.layers.Bidirectional")
def call_bidirectional(machine: Machine, wrapper: InstanceVal, arguments: Arguments) -> Value:
    """One recurrence in both directions; the wrapper's merge mode joins the results."""
    x, state = sequence_and_state(argument(arguments, "sequences", 0), arguments)
    inner = wrapper.state.get("layer")
    if not isinstance(inner, InstanceVal) or inner.layer is None or inner.layer.row.op != "rnn" or not isinstance(x, TensorVal):
        return machine.unknown("unmodelled-layer", "Bidirectional")
    args = canonical_arguments(machine, inner, x)
    directions = {"bidirectional": True, "merge_mode": wrapper.state.get("merge_mode")}
    directions |= {"initial_state": state} if state is not None else {}
    result = machine.emit("rnn", {"x": x, **args, **directions}, framework="keras", spelled=inner.layer.row.name, layer=wrapper)
    return called(machine, wrapper, arguments, result)


@constructor("keras.layers.RNN")
def construct_rnn(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
    """``RNN(cell, return_sequences=False, return_state=False)``."""
    _keep(machine, layer, arguments, "cell", "return_sequences", "return_state")


@layer_call("keras.layers.RNN")
def call_rnn(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    """The recurrence of a library cell; of stacked cells, the last one's width counts."""
    x, state = sequence_and_state(argument(arguments, "sequences", 0), arguments)
    cell = plain(layer.state.get("cell"))
    stacked = len(cell) if isinstance(cell, tuple) else 0
    cell = cell[-1] if isinstance(cell, tuple) and cell else cell
    if not isinstance(cell, InstanceVal) or cell.layer is None or not isinstance(x, TensorVal):
        return machine.unknown("unmodelled-layer", "RNN")
    flags = {name: layer.state.get(name) or False for name in ("return_sequences", "return_state")}
    kept = {name: plain(cell.layer.args.get(name)) for name in ("kind", "hidden_size")}
    kept |= {"initial_state": state} if state is not None else {}
    states = plain(flags["return_state"])
    if stacked and states is not False:  # one state per cell, a list where the cell has several
        flags["return_state"] = False
    out = machine.emit("rnn", {"x": x, "batch_first": True, **kept, **flags}, framework="keras", layer=layer)
    if not stacked or states is False:
        return out
    known = states is True
    return (out, *(machine.unknown("state", "cell") for _ in range(stacked))) if known else machine.unknown("state", "RNN")


@constructor("keras.layers.Lambda")
def construct_lambda(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
    """``Lambda(function, arguments=…)``."""
    _keep(machine, layer, arguments, "function")
    machine.write(layer.state, "arguments", arguments.kwargs.get("arguments"))


@layer_call("keras.layers.Lambda")
def call_lambda(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    """The function on the inputs, with the keyword arguments the layer was built with."""
    extra = plain(layer.state.get("arguments"))
    kwargs = {key: value for key, value in extra.items.items() if isinstance(key, str)} if isinstance(extra, DictVal) else {}
    x = argument(arguments, "inputs", 0)
    result = machine.call(layer.state.get("function"), Arguments((x,), kwargs))
    return called(machine, layer, arguments, result)
