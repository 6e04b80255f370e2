"""``keras.applications``: a pre-trained architecture as a functional model of known input, features and output."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.keras.application_layers import FeatureMap, inside
from dllint.frameworks.keras.applications import ARCHITECTURES, REDUCTION, WIDTHS, Architecture
from dllint.frameworks.keras.protocols.activation import activate
from dllint.frameworks.keras.protocols.formats import data_format
from dllint.frameworks.keras.protocols.model import MODEL_CLASS, become
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.keras.protocols.shapes import batched
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

#: Constructor arguments in order.
PARAMETERS: Final = ("include_top", "weights", "input_tensor", "input_shape", "pooling", "classes", "classifier_activation")
_SHAPE_FIRST: Final = ("include_top", "weights", "input_tensor", "pooling", "classes", "classifier_activation")
#: The same of those that begin with the shape. The third one of MobileNetV2 was the depth multiplier before Keras 2.3.
_OTHER_PARAMETERS: Final = {
    "MobileNet": ("input_shape", "alpha", "depth_multiplier", "dropout", *_SHAPE_FIRST),
    "MobileNetV2": ("input_shape", "alpha"),
    "MobileNetV3": ("input_shape", "alpha", "minimalistic", "include_top", "weights", "input_tensor", "classes", "pooling"),
    "NASNet": ("input_shape", *_SHAPE_FIRST),
}
#: Modules with a ``preprocess_input``.
MODULES: Final = (
    "convnext", "densenet", "efficientnet", "efficientnet_v2", "imagenet_utils", "inception_resnet_v2", "inception_v3",
    "mobilenet",
    "mobilenet_v2", "mobilenet_v3", "nasnet", "resnet", "resnet50", "resnet_v2", "vgg16", "vgg19", "xception",
)  # fmt: skip
POOLINGS: Final = {"avg": "global_avg_pool", "max": "global_max_pool"}


def _parameters(name: str) -> tuple[str, ...]:
    family = name.removesuffix("Small").removesuffix("Large").removesuffix("Mobile")
    return _OTHER_PARAMETERS.get(family, PARAMETERS)


def _arguments(name: str, arguments: Arguments) -> dict[str, Value] | None:
    """The arguments by name; ``None`` if the parameter of one is not known."""
    parameters = _parameters(name)
    if len(arguments.args) > len(parameters):
        return None
    values = dict(zip(parameters, arguments.args, strict=False)) | arguments.kwargs
    return {key: plain(value) for key, value in values.items()}


def _features(name: str, architecture: Architecture, values: dict[str, Value]) -> Value:
    """The channels of the last feature map."""
    alpha = values.get("alpha", 1.0)
    if name not in WIDTHS or alpha == 1:
        return architecture.features
    return WIDTHS[name](alpha) if isinstance(alpha, (int, float)) else Unknown("no-argument", "alpha")


def _constructor(name: str, architecture: Architecture) -> Handler:
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        values = _arguments(name, arguments)
        if values is None:
            return machine.unknown("no-argument", name)
        model = InstanceVal(LibSymbol(MODEL_CLASS), site=machine.site)
        model.state["application"] = name
        model.state["alpha"] = values.get("alpha", 1.0)
        rescales = values.get("include_preprocessing", True) is True
        model.state["weights"] = values.get("weights", "imagenet") if rescales else Unknown("no-argument", "weights")
        if usual := inside(name).name:
            model.state["name"] = values.get("name", usual)
        x = _input(machine, architecture, values)
        features = _features(name, architecture, values)
        become(machine, model, x, _output(machine, architecture, features, values, x, model))
        return model

    return construct


def _input(machine: Machine, architecture: Architecture, values: dict[str, Value]) -> TensorVal:
    given = values.get("input_tensor")
    if isinstance(given, TensorVal):
        return given
    shape = values.get("input_shape")
    if shape is None:
        size = architecture.size if values.get("include_top", True) is True else None
        layout = data_format(machine)
        if isinstance(layout, Unknown):
            return machine.tensor(TensorType(layout, FLOAT32), framework="keras", name="input")
        shape = (size, size, 3) if layout == "channels_last" else (3, size, size)
    return machine.tensor(TensorType(batched(shape), FLOAT32), framework="keras", name="input")


def _output(
    machine: Machine, architecture: Architecture, width: Value, values: dict[str, Value], x: TensorVal, model: Value
) -> Value:
    last = _channels_last(machine)
    facts = {"features": width, "offset": architecture.offset, "reduction": REDUCTION, **last}
    features = machine.emit("feature_map", {"x": x, **facts}, framework="keras", layer=model)
    top = values.get("include_top", True)
    if top is True or top == 1:
        pooled = machine.emit("global_avg_pool", {"x": features, "spatial": 2, **last}, framework="keras", layer=model)
        scores = machine.emit(
            "linear", {"x": pooled, "out_features": values.get("classes", 1000)}, framework="keras", layer=model
        )
        return activate(machine, values.get("classifier_activation", "softmax"), scores, model)
    if top is not False and top != 0:
        return machine.unknown("no-argument", "include_top")
    pooling = values.get("pooling")
    if pooling is None:
        return features
    if pooling not in POOLINGS:
        return machine.unknown("no-argument", "pooling")
    return machine.emit(POOLINGS[pooling], {"x": features, "spatial": 2, **last}, framework="keras", layer=model)


def _channels_last(machine: Machine) -> dict[str, Value]:
    layout = data_format(machine)
    return {"channels_last": layout if isinstance(layout, Unknown) else layout == "channels_last"}


def feature_map(machine: Machine, model: InstanceVal, kind: FeatureMap, x: TensorVal) -> Value:
    """A map of features inside a model, as its input ``x`` gives it. Models that were widened have other channels."""
    width = kind.channels if model.state.get("alpha", 1.0) == 1 else Unknown("no-argument", "alpha")
    facts = {"features": width, "offset": kind.offset, "reduction": kind.reduction, **_channels_last(machine)}
    return machine.emit("feature_map", {"x": x, **facts}, framework="keras", layer=model)


def preprocess(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``preprocess_input(x)``: scaled images of the same shape."""
    x = argument(arguments, "x", 0)
    if not isinstance(x, TensorVal):
        return machine.unknown("no-tensor", "preprocess_input")
    args: dict[str, Value] = {"x": x, "dtype": FLOAT32}
    return machine.emit("cast", args, framework=x.framework, spelled="keras.applications.preprocess_input")


for _module in MODULES:
    handler(f"keras.applications.{_module}.preprocess_input")(preprocess)
for _name, _architecture in ARCHITECTURES.items():
    handler(f"keras.applications.{_name}")(_constructor(_name, _architecture))
