"""What code asks of layers and models: ``model.output``, ``model.layers``, ``get_layer``, ``layer.output_shape``, weights."""

from __future__ import annotations

import re
from typing import Final

from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.keras.application_layers import inside
from dllint.frameworks.keras.protocols.application import feature_map
from dllint.frameworks.keras.protocols.layer import LAYER
from dllint.frameworks.keras.protocols.model import MODEL_CLASS
from dllint.frameworks.keras.protocols.plain import argument, plain, tensors
from dllint.frameworks.keras.protocols.replay import between
from dllint.frameworks.keras.protocols.sequential import layers_of
from dllint.frameworks.keras.protocols.shapes import batched, shape_value
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.program import COMPUTE_DTYPE, Op, TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

_INPUT_LAYER: Final = "keras.layers.InputLayer"
LIBRARY_BASES[_INPUT_LAYER] = (LAYER,)


def layers(model: InstanceVal) -> list[Value]:
    """The layers of a model in order; of a functional one, its inputs and those its graph applies."""
    if "layers" in model.state:
        return layers_of(model)
    if "outputs" in model.state:
        applied = dict.fromkeys(op.layer for op in _graph(model) if op.layer is not None)
        return [*_input_layers(model), *applied]
    return [v for v in model.attrs.values() if isinstance(v, InstanceVal)]


def _graph(model: InstanceVal) -> list[Op]:
    return between(tensors(model.kept("inputs")), tensors(model.kept("outputs")))


def _input_layers(model: InstanceVal) -> list[InstanceVal]:
    symbol, given = LibSymbol(_INPUT_LAYER), tensors(model.kept("inputs"))
    return [InstanceVal(symbol, state={"input": tensor, "output": tensor}) for tensor in given]


def _is_chain(model: InstanceVal) -> bool:
    """Whether a model is known to apply one layer after the other, so that their order and number are those of the library."""
    if "outputs" not in model.state:
        return True
    operations, outputs = _graph(model), model.kept("outputs")
    one_by_one = all(op.layer is not None and len(op.inputs) == 1 for op in operations)
    return one_by_one and isinstance(outputs, TensorVal) and bool(operations) and operations[-1].output is outputs


@prop(f"{MODEL_CLASS}.layers", on=InstanceVal)
def model_layers(machine: Machine, model: InstanceVal) -> Value:
    """``model.layers``. Keras orders the layers of a graph by their distance from the outputs, so that all that is known of
    one with branches is that its only input comes first."""
    if "application" in model.state:
        return Unknown("unmodelled-model", "layers of an application")
    if _is_chain(model):
        return ListVal(layers(model))
    inputs = _input_layers(model)
    return ListVal([*inputs] if len(inputs) == 1 else [], Unknown("unknown-layer", "order of a graph"))


@handler(f"{MODEL_CLASS}.get_layer", on=InstanceVal)
def get_layer(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """``get_layer(name=None, index=None)``."""
    name, index = argument(arguments, "name", 0), argument(arguments, "index", 1)
    if "application" in model.state:
        return _inside_application(machine, model, name)
    found = layers(model)
    if isinstance(index, int) and -len(found) <= index < len(found) and _is_chain(model):
        return found[index]
    if not isinstance(name, str):
        return machine.unknown("unknown-layer", "")
    named = [layer for layer in found if isinstance(layer, InstanceVal) and plain(layer.state.get("name")) == name]
    return named[0] if named else _counted(machine, found, name)


def _counted(machine: Machine, found: list[Value], name: str) -> Value:
    """The layer with a name that Keras has made of its class and a number, which counts what the process has made: the
    only one of that class without a name of its own."""
    unnamed = [layer for layer in found if isinstance(layer, InstanceVal) and layer.state.get("name") is None]
    kind = re.sub(r"_\d+$", "", name)
    alike = [layer for layer in unnamed if generated_name(layer) in (name, kind)]
    return alike[0] if len(alike) == 1 else machine.unknown("unknown-layer", name)


def generated_name(layer: InstanceVal) -> str:
    """The name, without its number, that Keras gives a layer of this class: ``MaxPooling2D`` becomes ``max_pooling2d``."""
    words = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", getattr(layer.cls, "name", "").rpartition(".")[2])
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", words).lower()


def _inside_application(machine: Machine, model: InstanceVal, name: Value) -> Value:
    """The layer of a pretrained architecture that gives a map of features, called on the input of the model."""
    x, application = model.kept("inputs"), model.state["application"]
    maps = inside(application).maps if isinstance(application, str) else {}
    if isinstance(name, str) and name in maps and isinstance(x, TensorVal):
        return InstanceVal(LibSymbol(LAYER), site=machine.site, open=Unknown("unknown-layer", name),
                           state={"name": name, "input": Unknown("unknown-layer", name),
                                  "output": feature_map(machine, model, maps[name], x)})  # fmt: skip
    return machine.unknown("unknown-layer", str(name))


def _state(machine: Machine, owner: InstanceVal, key: str) -> Value:
    found = plain(owner.state.get(key))
    return found if found is not None else Unknown("not-built", key)


def _register(owner: str, name: str, key: str) -> None:
    """``owner.name`` is the state ``key``; ``owner.names`` the list of its tensors; ``owner.name_shape`` its shape."""

    @prop(f"{owner}.{name}", on=InstanceVal)
    def structure(machine: Machine, one: InstanceVal) -> Value:
        return _state(machine, one, key)

    @prop(f"{owner}.{name}_shape", on=InstanceVal)
    def shape(machine: Machine, one: InstanceVal) -> Value:
        found = _state(machine, one, key)
        held = [] if isinstance(found, Unknown) else list(tensors(found))
        return shape_value(machine, held[0] if len(held) == 1 else found)  # of a list of one, that of its tensor (3.15, run)

    if owner == MODEL_CLASS:

        @prop(f"{owner}.{key}", on=InstanceVal)
        def listed(machine: Machine, one: InstanceVal) -> Value:
            found = _state(machine, one, key)
            return found if isinstance(found, Unknown) else ListVal(list(tensors(found)))


_register(MODEL_CLASS, "output", "outputs")
_register(MODEL_CLASS, "input", "inputs")
_register(LAYER, "output", "output")
_register(LAYER, "input", "input")


@prop(f"{LAYER}.name", on=InstanceVal)
def layer_name(machine: Machine, layer: InstanceVal) -> Value:
    """The name the layer was given."""
    given = layer.state.get("name")
    return given if given is not None else Unknown("generated-name", "")


@prop(f"{LAYER}.compute_dtype", f"{LAYER}.dtype", f"{LAYER}.variable_dtype", on=InstanceVal)
def layer_dtype(machine: Machine, layer: InstanceVal) -> Value:
    """The element type a layer computes in."""
    found = layer.state.get(COMPUTE_DTYPE)
    return "float32" if found is None else getattr(found, "name", found)


@handler(
    f"{MODEL_CLASS}.summary", f"{MODEL_CLASS}.load_weights", f"{MODEL_CLASS}.save_weights",
    f"{LAYER}.set_weights", f"{MODEL_CLASS}.reset_states", f"{MODEL_CLASS}.export",
)  # fmt: skip
def nothing(machine: Machine, owner: Value, arguments: Arguments) -> Value:
    """Reports and storage change no value."""
    return None


@handler(f"{LAYER}.get_weights", f"{LAYER}.count_params", f"{LAYER}.get_config", f"{MODEL_CLASS}.to_json")
def of_the_run(machine: Machine, owner: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return Unknown("training-result", "weights")


@handler("keras.models.clone_model")
def clone_model(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A copy with weights of its own: the same shapes."""
    return argument(arguments, "model", 0)


@handler(f"{MODEL_CLASS}.build", on=InstanceVal)
def build_model(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """``build(input_shape)``: the model applied to a symbolic batch of that shape, unless it has its inputs already."""
    full = argument(arguments, "input_shape", 0)
    if "inputs" in model.state or not isinstance(full, tuple) or not full or isinstance(full[0], tuple):
        return None
    x = machine.tensor(TensorType(batched(full[1:], full[0]), FLOAT32), framework="keras", name="input")
    result = machine.call(model, Arguments((x,)))
    if machine.find_method(model.cls, "call") is None:
        machine.write(model.state, "inputs", x)
        machine.write(model.state, "outputs", result)
    return None
