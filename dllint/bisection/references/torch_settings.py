"""Arguments of ATen operators under the names that both sides of a bisection share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import torch

_NAMES: Final[Mapping[str, str]] = {
    "eps": "epsilon",
    "dim": "axis",
    "padding": "padding",
    "stride": "stride",
    "dilation": "dilation",
    "groups": "groups",
    "approximate": "approximate",
    "align_corners": "align_corners",
    "negative_slope": "negative_slope",
    "training": "training",
    "keepdim": "keepdim",
    "ceil_mode": "ceil_mode",
    "count_include_pad": "count_include_pad",
}


def settings_of(node: torch.fx.Node) -> dict[str, object]:
    """The arguments that are numbers, words and lists of them, defaults included."""
    schema: Any = getattr(node.target, "_schema", None)
    if schema is None:
        return {}
    found: dict[str, object] = {}
    for position, argument in enumerate(schema.arguments):
        given = node.args[position] if position < len(node.args) else node.kwargs.get(argument.name, argument.default_value)
        if argument.name == "normalized_shape" and isinstance(given, list | tuple):
            found["axis"] = -len(given)
        elif argument.name in _NAMES and _is_plain(given):
            found[_NAMES[argument.name]] = list(given) if isinstance(given, list | tuple) else given
    return found | _by_name(str(node.target))


def _by_name(target: str) -> dict[str, object]:
    """Settings that follow from the name of an operator."""
    if "upsample" not in target:
        return {}
    return {"mode": next(mode for mode in ("nearest", "cubic", "linear", "") if mode in target)}


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(each, int | float) for each in value)
    return isinstance(value, int | float | str)
