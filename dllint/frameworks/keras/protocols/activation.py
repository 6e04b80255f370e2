"""Applying an activation given as a string, a function, a layer or nothing."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.functions.activations import ACTIVATIONS, FIXED
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import Machine, each, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, LibSymbol, Value


def operation_of(activation: Value) -> str | None:
    """The canonical operation of an activation named by a string or by a ``keras.activations`` function, else ``None``."""
    activation = plain(activation)
    if isinstance(activation, LibSymbol) and activation.name.startswith("keras.activations."):
        activation = activation.name.rpartition(".")[2]
    return ACTIVATIONS.get(activation) if isinstance(activation, str) else None


def activate(machine: Machine, activation: Value, x: Value, layer: Value = None) -> Value:
    """``activation(x)`` as an operation of its own; ``None`` and ``linear`` give ``x``."""
    activation = plain(activation)
    if activation is None or activation == "linear" or not isinstance(x, TensorVal):
        return x
    if isinstance(activation, Unknown):
        return machine.emit("unknown_activation", {"x": x}, framework="keras", layer=layer)
    operation = operation_of(activation)
    if operation is not None:
        named = plain(activation)
        spelled = named.name if isinstance(named, LibSymbol) else f"keras.activations.{named}" if isinstance(named, str) else ""
        return machine.emit(operation, {"x": x, **FIXED.get(operation, {})}, framework="keras", spelled=spelled, layer=layer)
    if isinstance(activation, str):
        return machine.emit("unknown_activation", {"x": x}, framework="keras", layer=layer)
    return machine.call(activation, Arguments((x,)))


@handler("keras.activations.linear")
def linear(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``keras.activations.linear(x)``: ``x`` as it is, be it a tensor or a number."""
    x = argument(arguments, "x", 0)
    if not isinstance(x, TensorVal):
        return x
    return machine.emit("identity", {"x": x}, framework="keras", spelled="keras.activations.linear")


@handler("keras.activations.get")
def get(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``keras.activations.get(identifier)``: strings become the function of that name."""
    return each(machine, plain(arguments.args[0] if arguments.args else arguments.kwargs.get("identifier")), _named)


def _named(given: Value) -> Value:
    if given is None:
        return LibSymbol("keras.activations.linear")
    return LibSymbol(f"keras.activations.{given}") if isinstance(given, str) and given in ACTIVATIONS else given
