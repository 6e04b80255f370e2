"""``torchvision.models``: known architectures with their real heads, so that a replaced ``fc`` or ``classifier`` is checked.

A model is an object whose children are library layers where users reach for them (stem, head) and *stages* elsewhere;
``forward`` chains the children, pooling and flattening before the head.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols.module_tree import MODULE
from dllint.frameworks.torchvision.architectures import FEATURES, POOLED, RESNETS, VGGS
from dllint.frameworks.torchvision.layers import layer
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap

MODEL: Final = "torchvision.models.Model"
STAGE: Final = "torchvision.models.Stage"
HEADS: Final = ("fc", "classifier")
LIBRARY_BASES.update({MODEL: (MODULE,), STAGE: (MODULE,)})


def stage(machine: Machine, width: int, reduction: int, exact: bool = True) -> InstanceVal:
    """A part that turns its input into ``width`` channels and divides its size; ``exact``: by ceiling, else roughly."""
    state: dict[str, Value] = {
        "features": width,
        "reduction": reduction,
        "offset": 1 if exact else Unknown("unknown-size", "stage"),
    }
    return InstanceVal(LibSymbol(STAGE), site=machine.site, state=state)


@handler(f"{STAGE}.forward", on=InstanceVal)
def run_stage(machine: Machine, stage: InstanceVal, arguments: Arguments) -> Value:
    """The stage's feature map."""
    x = arguments.args[0] if arguments.args else None
    return machine.emit("feature_map", {"x": x, **stage.state, "channels_last": False}, framework="torch", spelled=STAGE)


def _resnet(machine: Machine, widths: tuple[int, ...], classes: Value) -> dict[str, Value]:
    stem = {
        "conv1": layer(machine, "Conv2d", 3, 64, kernel_size=7, stride=2, padding=3, bias=False),
        "bn1": layer(machine, "BatchNorm2d", 64),
        "relu": layer(machine, "ReLU"),
        "maxpool": layer(machine, "MaxPool2d", kernel_size=3, stride=2, padding=1),
    }
    stages = {f"layer{i + 1}": stage(machine, width, 1 if i == 0 else 2) for i, width in enumerate(widths)}
    pool = layer(machine, "AdaptiveAvgPool2d", (1, 1))
    return {**stem, **stages, "avgpool": pool, "fc": layer(machine, "Linear", widths[-1], classes)}


def _vgg(machine: Machine, widths: tuple[int, ...], classes: Value, norm: bool) -> dict[str, Value]:
    layers: list[Value] = []
    channels = 3
    for width in widths:
        if width == 0:
            layers.append(layer(machine, "MaxPool2d", kernel_size=2, stride=2))
            continue
        layers.append(layer(machine, "Conv2d", channels, width, kernel_size=3, padding=1))
        layers += [layer(machine, "BatchNorm2d", width)] if norm else []
        layers.append(layer(machine, "ReLU"))
        channels = width
    hidden = [layer(machine, "ReLU"), layer(machine, "Dropout")]
    head = [layer(machine, "Linear", 512 * 49, 4096), *hidden, layer(machine, "Linear", 4096, 4096), *hidden]
    return {
        "features": layer(machine, "Sequential", *layers),
        "avgpool": layer(machine, "AdaptiveAvgPool2d", (7, 7)),
        "classifier": layer(machine, "Sequential", *head, layer(machine, "Linear", 4096, classes)),
    }


def _with_features(machine: Machine, name: str, classes: Value) -> dict[str, Value]:
    width, head = FEATURES[name]
    body = {"layers" if name.startswith("mnasnet") else "features": stage(machine, width, 32, exact=False)}
    pool = {"avgpool": layer(machine, "AdaptiveAvgPool2d", 1)} if name.startswith(POOLED) else {}
    return {**body, **pool, "classifier": _classifier(machine, width, head, classes)}


def _classifier(machine: Machine, width: int, head: str, classes: Value) -> Value:
    layers: list[Value] = []
    current: Value = width
    for part in head.split():
        if part in "DH":
            layers.append(layer(machine, "Dropout" if part == "D" else "Hardswish"))
            continue
        target = classes if part == "C" else int(part)
        layers.append(layer(machine, "Linear", current, target))
        current = target
    return layers[0] if len(layers) == 1 else layer(machine, "Sequential", *layers)


def _parts(machine: Machine, name: str, classes: Value) -> dict[str, Value]:
    if name in RESNETS:
        return _resnet(machine, RESNETS[name], classes)
    if name in FEATURES:
        return _with_features(machine, name, classes)
    return _vgg(machine, VGGS[name.removesuffix("_bn")], classes, name.endswith("_bn"))


def _register(name: str) -> None:
    @handler(f"torchvision.models.{name}")
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        classes = unwrap(arguments.kwargs.get("num_classes", 1000))
        parts = _parts(machine, name, classes)
        return InstanceVal(LibSymbol(MODEL), parts, machine.site, state={"chained": tuple(parts)})


for _name in (*RESNETS, *VGGS, *(f"{name}_bn" for name in VGGS), *FEATURES):
    _register(_name)


@handler("torchvision.models.get_model")
def get_model(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``get_model("resnet18", …)``."""
    name = unwrap(arguments.args[0]) if arguments.args else None
    if not isinstance(name, str):
        return machine.unknown("dynamic-argument", "get_model")
    return machine.call(LibSymbol(f"torchvision.models.{name}"), Arguments(arguments.args[1:], arguments.kwargs))


@handler(f"{MODEL}.forward", on=InstanceVal)
def forward(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """What the attributes hold now under the names that the model was made with, one after the other; the head gets one row
    per image. Of one that is gone or not known the result is Unknown; what several may give is joined."""
    x = arguments.args[0] if arguments.args else arguments.kwargs.get("x")
    chained = model.state.get("chained")
    names = [name for name in chained if isinstance(name, str)] if isinstance(chained, tuple) else []
    if not names:
        return machine.unknown("no-state", "chained")
    for name in names:
        if name in HEADS:
            x = x if "avgpool" in names else _pooled(machine, x)
            x = machine.emit("flatten", {"x": x, "start_dim": 1}, framework="torch", spelled="torch.flatten")
        x = machine.call(model.own(name), Arguments((x,)))
    return x


def _pooled(machine: Machine, x: Value) -> Value:
    return machine.emit("adaptive_avg_pool", {"x": x, "output_size": 1, "spatial": 2}, framework="torch", spelled=MODEL)
