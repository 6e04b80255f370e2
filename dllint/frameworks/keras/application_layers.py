"""The named feature maps inside the models of ``keras.applications``: what ``model.get_layer(name).output`` is.

The file beside this module is made by :mod:`dllint.dev.application_layers` from models of Keras 3.15, and read on demand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class FeatureMap:
    """A map with so many ``channels`` and ``(n - offset) // reduction + 1`` positions for an image of ``n`` pixels."""

    channels: int
    reduction: int
    offset: int


@dataclass(frozen=True, slots=True)
class Inside:
    """The name that an architecture has as a layer of another model, and its maps by the names of their layers."""

    name: str
    maps: Mapping[str, FeatureMap]


@cache
def _tables() -> Mapping[str, Mapping[str, object]]:
    found: Mapping[str, Mapping[str, object]] = json.loads(PATH.read_text(encoding="utf-8"))
    return found


@cache
def inside(architecture: str) -> Inside:
    """The layers of an architecture; none of one that was not measured."""
    table = _tables().get(architecture, {})
    maps, groups = {}, table.get("maps")
    for names, channels, reduction, offset in groups if isinstance(groups, list) else ():
        maps.update(dict.fromkeys(names.split(), FeatureMap(channels, reduction, offset)))
    return Inside(str(table.get("name", "")).replace("None", "224"), maps)
