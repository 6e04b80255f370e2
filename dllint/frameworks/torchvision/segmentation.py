"""``torchvision.models.segmentation``: FCN and DeepLabV3, whose heads end with a convolution to the classes that users replace.

A model gives a dict: under ``out`` the scores of each pixel of its input, under ``aux`` those of the auxiliary head, if there
is one. Source: torchvision 0.28 (``_utils._SimpleSegmentationModel``, ``fcn.py``, ``deeplabv3.py``), run.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols.module_tree import MODULE
from dllint.frameworks.torchvision.layers import layer
from dllint.frameworks.torchvision.models import stage
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, Value

_ROOM: Final = "torchvision.models.segmentation"
MODEL: Final = f"{_ROOM}.Model"
LIBRARY_BASES[MODEL] = (MODULE,)
#: Channels of the features that the head and the auxiliary head take.
_BACKBONES: Final = {"resnet50": (2048, 1024), "resnet101": (2048, 1024), "mobilenet_v3_large": (960, 40)}
#: The classes of the weights that are published, and of a model that is given no number.
_CLASSES: Final = 21
#: The width inside the head of DeepLab.
_ATROUS: Final = 256
_CONSTRUCTOR: Final = "weights=None, progress=True, num_classes=None, aux_loss=None, pretrained=None, **more"


def _fcn_head(machine: Machine, channels: int, classes: Value) -> Value:
    inner = channels // 4
    parts = (
        layer(machine, "Conv2d", channels, inner, 3, padding=1, bias=False),
        layer(machine, "BatchNorm2d", inner),
        layer(machine, "ReLU"),
        layer(machine, "Dropout", 0.1),
        layer(machine, "Conv2d", inner, classes, 1),
    )
    return layer(machine, "Sequential", *parts)


def _deeplab_head(machine: Machine, _: Value, classes: Value) -> Value:
    parts = (
        stage(machine, _ATROUS, 1),
        layer(machine, "Conv2d", _ATROUS, _ATROUS, 3, padding=1, bias=False),
        layer(machine, "BatchNorm2d", _ATROUS),
        layer(machine, "ReLU"),
        layer(machine, "Conv2d", _ATROUS, classes, 1),
    )
    return layer(machine, "Sequential", *parts)


def _register(name: str, backbone: str) -> None:
    @handler(f"{_ROOM}.{name}_{backbone}")
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        bound = given(_CONSTRUCTOR, arguments)
        is_loaded = _is_given(bound["weights"], bound["pretrained"])
        classes, aux = bound["num_classes"], bound["aux_loss"]
        wide, narrow = _BACKBONES[backbone]
        classes = _CLASSES if classes is None else classes
        head = (_fcn_head if name == "fcn" else _deeplab_head)(machine, wide, classes)
        parts: dict[str, Value] = {"backbone": stage(machine, wide, 8, exact=False), "classifier": head}
        has_aux = _has_aux(is_loaded, aux)
        if has_aux:
            parts["aux_classifier"] = _fcn_head(machine, narrow, classes)
        elif has_aux is False:
            parts["aux_classifier"] = None
        state: dict[str, Value] = {"aux": narrow if has_aux is not None else Unknown("parameter", "aux_loss")}
        return InstanceVal(LibSymbol(MODEL), parts, machine.site, state=state)


def _has_aux(is_loaded: bool | None, asked: Value) -> bool | None:
    """Whether a model has an auxiliary head: published weights have one; None if that is not known."""
    if is_loaded is None or (asked is not None and not isinstance(asked, bool)):
        return None
    return is_loaded or bool(asked)


def _is_given(*values: Value) -> bool | None:
    """Whether weights are loaded; None if that is not known."""
    if any(isinstance(value, Unknown) for value in values):
        return None
    return any(value is not None and value is not False for value in values)


for _name in ("fcn", "deeplabv3"):
    for _backbone in _BACKBONES:
        if (_name, _backbone) != ("fcn", "mobilenet_v3_large"):
            _register(_name, _backbone)


@handler(f"{_ROOM}.deeplabv3.DeepLabHead", f"{_ROOM}.DeepLabHead")
def deeplab_head(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The head of DeepLab for any number of channels and classes."""
    bound = given("in_channels, num_classes, **more", arguments)
    return _deeplab_head(machine, bound.get("in_channels"), bound.get("num_classes"))


@handler(f"{_ROOM}.fcn.FCNHead", f"{_ROOM}.FCNHead")
def fcn_head(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The head of FCN."""
    bound = given("in_channels, channels", arguments)
    channels = bound.get("in_channels")
    if not isinstance(channels, int):
        return machine.unknown("parameter", "in_channels")
    return _fcn_head(machine, channels, bound.get("channels"))


@handler(f"{MODEL}.forward", on=InstanceVal)
def forward(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """The scores of each pixel: the heads see features of an eighth of the size, their results get the size of the images."""
    x = arguments.args[0] if arguments.args else arguments.kwargs.get("x")
    features = machine.call(model.own("backbone"), Arguments((x,)))
    found: dict[Value, Value] = {"out": _scores(machine, model.own("classifier"), features, x)}
    narrow, aux = model.state.get("aux"), model.attrs.get("aux_classifier")
    if not isinstance(narrow, int):
        return DictVal(found, machine.unknown("parameter", "aux_loss"))
    if aux is not None:
        early = machine.call(stage(machine, narrow, 8, exact=False), Arguments((x,)))
        found["aux"] = _scores(machine, aux, early, x)
    return DictVal(found)


def _scores(machine: Machine, head: Value, features: Value, x: Value) -> Value:
    small = machine.call(head, Arguments((features,)))
    if not isinstance(x, TensorVal) or not isinstance(x.shape, tuple) or len(x.shape) != 4:
        return machine.unknown("unknown-rank", "images")
    args: dict[str, Value] = {"x": small, "size": x.shape[2:], "mode": "bilinear", "spatial": 2}
    return machine.emit("interpolate", args, framework="torch", spelled="torch.nn.functional.interpolate")
