"""``load_model``: the model that the program saved there, or that a file beside the code describes, made again layer by layer.

Of the configuration the forms of Keras 3 are read (``Sequential``, ``Functional``), in ``.keras`` archives and HDF5. A layer of
another package, a shared or custom one, or an argument of another kind, and nothing is known of the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from dllint.frameworks import own_files
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.model import MODEL_CLASS
from dllint.frameworks.machine import HANDLERS, Machine, handler
from dllint.frameworks.registry import layer_row, parameters
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value
from dllint.source.data.held import Held

Config: TypeAlias = "dict[Held, Held]"
_TENSOR: Final = "__keras_tensor__"
_INPUT: Final = "InputLayer"
#: Arguments that change no shape.
_IDLE: Final = (
    "initializer",
    "regularizer",
    "constraint",
    "name",
    "trainable",
    "quantization_config",
    "optional",
    "sparse",
    "ragged",
)
_USUAL: Final = "float32"


class _OtherFormError(Exception):
    """The configuration has a form that is not read."""


@handler(f"{MODEL_CLASS}.save", on=InstanceVal)
def save(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """``model.save(filepath)``."""
    own_files.keep(machine, arguments.kwargs.get("filepath", arguments.positional(0)), model)
    return None


@handler("keras.saving.save_model")
def save_model(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``save_model(model, filepath)``."""
    bound = given("model, filepath", arguments)
    own_files.keep(machine, bound.get("filepath"), bound.get("model"))
    return None


@handler("keras.saving.load_model")
def load_model(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``load_model(filepath, …)``."""
    source = arguments.kwargs.get("filepath", arguments.positional(0))
    own = own_files.written(machine, source)
    if own is not None:
        return own
    held = machine.file_content(source, "model") if "custom_objects" not in arguments.kwargs else None
    if isinstance(held, dict):
        try:
            return _model(machine, held)
        except _OtherFormError:
            pass
    return machine.unknown("unmodelled-call", "keras.saving.load_model")


def _model(machine: Machine, held: Config) -> Value:
    kind, config = held.get("class_name"), _dict(held.get("config"))
    layers = [_dict(layer) for layer in _list(config.get("layers"))]
    if kind == "Sequential":
        members = [_layer(machine, layer) for layer in layers]
        return machine.call(LibSymbol("keras.Sequential"), Arguments((ListVal(members),)))
    if kind != "Functional":
        raise _OtherFormError
    graph = _Graph(machine)
    for layer in layers:
        graph.add(layer)
    inputs, outputs = (graph.ends(config.get(key)) for key in ("input_layers", "output_layers"))
    return machine.call(LibSymbol("keras.Model"), Arguments((inputs, outputs)))


@dataclass
class _Graph:
    """The outputs of layers by their names, as they are made. A layer that is called once is known."""

    machine: Machine
    results: dict[str, Value] = field(default_factory=dict)

    def add(self, layer: Config) -> None:
        """Call a layer with what its only call names."""
        name, calls = layer.get("name"), _list(layer.get("inbound_nodes"))
        if not isinstance(name, str) or len(calls) != (layer.get("class_name") != _INPUT):
            raise _OtherFormError
        found = _layer(self.machine, layer)
        if calls:
            call = _dict(calls[0])
            kwargs = _dict(call.get("kwargs"))
            if any(value not in (None, False) for value in kwargs.values()):
                raise _OtherFormError
            found = self.machine.call(found, Arguments(tuple(self._operand(part) for part in _list(call.get("args")))))
        self.results[name] = found

    def _operand(self, part: Held) -> Value:
        if isinstance(part, list):
            return ListVal([self._operand(inner) for inner in part])
        config = _dict(part)
        if config.get("class_name") != _TENSOR:
            raise _OtherFormError
        return self._output(_dict(config.get("config")).get("keras_history"))

    def _output(self, place: Held) -> Value:
        """The output of a layer that ``(name, call, output)`` names."""
        if not isinstance(place, list) or len(place) != 3 or place[1:] != [0, 0]:
            raise _OtherFormError
        found = self.results.get(place[0]) if isinstance(place[0], str) else None
        if not isinstance(found, TensorVal):
            raise _OtherFormError
        return found

    def ends(self, places: Held) -> Value:
        """The inputs or the outputs of the model: one place, or a list of them."""
        listed = _list(places)
        if listed and isinstance(listed[0], str):
            return self._output(places)
        ends = [self._output(place) for place in listed]
        return ends[0] if len(ends) == 1 else ListVal(ends)


def _layer(machine: Machine, layer: Config) -> Value:
    """A layer of the library, made from its arguments."""
    kind, config = layer.get("class_name"), _dict(layer.get("config"))
    if layer.get("module", "keras.layers") != "keras.layers" or layer.get("registered_name") or not isinstance(kind, str):
        raise _OtherFormError
    if kind == _INPUT:
        shape = _list(config.get("batch_shape"))
        return machine.call(
            LibSymbol("keras.Input"), Arguments((_sizes(shape[1:]),), {"dtype": str(config.get("dtype", _USUAL))})
        )
    name = f"keras.layers.{kind}"
    if layer_row(name) is None and name not in HANDLERS:
        raise _OtherFormError
    known = {parameter.name for parameter in parameters(name) or ()}
    kwargs = {
        str(key): _value(machine, value) for key, value in config.items() if str(key) in known and not _is_idle(str(key), value)
    }
    made = machine.call(LibSymbol(name), Arguments((), kwargs))
    if not isinstance(made, InstanceVal):
        raise _OtherFormError
    return made


def _is_idle(key: str, value: Held) -> bool:
    """Whether an argument changes no shape: also the usual element type."""
    return key.endswith(_IDLE) or (key == "dtype" and _policy(value) == _USUAL)


def _policy(value: Held) -> Held:
    return _dict(value.get("config")).get("name") if isinstance(value, dict) else value


def _value(machine: Machine, value: Held) -> Value:
    """An argument of a layer: numbers, texts, lists of them, and layers inside of others."""
    if isinstance(value, list):
        return tuple(_value(machine, part) for part in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict) and value.get("module") == "keras.layers":
        return _layer(machine, value)
    raise _OtherFormError


def _sizes(sizes: list[Held]) -> Value:
    if not all(size is None or type(size) is int for size in sizes):
        raise _OtherFormError
    return tuple(size for size in sizes if size is None or isinstance(size, int))


def _dict(held: Held) -> Config:
    if not isinstance(held, dict):
        raise _OtherFormError
    return held


def _list(held: Held) -> list[Held]:
    if not isinstance(held, list):
        raise _OtherFormError
    return held
