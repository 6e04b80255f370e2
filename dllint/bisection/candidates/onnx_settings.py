"""Attributes of ONNX operators under the names that both sides of a bisection share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import onnx

_NAMES: Final[Mapping[str, str]] = {
    "epsilon": "epsilon",
    "axis": "axis",
    "pads": "padding",
    "strides": "stride",
    "dilations": "dilation",
    "group": "groups",
    "approximate": "approximate",
    "ceil_mode": "ceil_mode",
    "count_include_pad": "count_include_pad",
}
#: What an operator without the attribute does.
_DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = {
    "Softmax": {"axis": -1},
    "LogSoftmax": {"axis": -1},
    "LayerNormalization": {"axis": -1, "epsilon": 1e-5},
    "BatchNormalization": {"epsilon": 1e-5, "training": False},
    "Gelu": {"approximate": "none"},
    "LeakyRelu": {"negative_slope": 0.01},
    "Conv": {"padding": [0], "stride": [1], "dilation": [1], "groups": 1},
    "Resize": {"align_corners": False, "mode": "nearest"},
}


def settings_of(node: onnx.NodeProto) -> dict[str, object]:
    """The attributes of a node that the reference may have as well, defaults included."""
    given = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    found = dict(_DEFAULTS.get(node.op_type, {}))
    found |= {_NAMES[name]: _plain(value) for name, value in given.items() if name in _NAMES}
    for (kind, name), converted in _CONVERTED.items():
        if kind == node.op_type and name in given:
            found |= converted(_plain(given[name]))
    if given.get("auto_pad", b"NOTSET") != b"NOTSET":
        found.pop("padding", None)
    return found


#: Attributes that say the same in other words.
_CONVERTED: Final[Mapping[tuple[str, str], Callable[[Any], dict[str, object]]]] = {
    ("LeakyRelu", "alpha"): lambda value: {"negative_slope": value},
    ("BatchNormalization", "training_mode"): lambda value: {"training": bool(value)},
    ("Resize", "coordinate_transformation_mode"): lambda value: {"align_corners": value == "align_corners"},
    ("Resize", "mode"): lambda value: {"mode": value},
}


def _plain(value: Any) -> object:
    if isinstance(value, bytes):
        return value.decode()
    return value if isinstance(value, int | float | str) else list(value)
