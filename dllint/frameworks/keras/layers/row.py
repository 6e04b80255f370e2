"""How the tables of this package write a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dllint.frameworks.rows import EMPTY, LayerRow

#: A layer with weights and an ``activation`` argument.
WEIGHTED: Final[Mapping[str, Any]] = {"trainable": True, "activation": "activation"}


def row(name: str, op: str, rename: Mapping[str, str] = EMPTY, const: Mapping[str, Any] = EMPTY, **more: Any) -> LayerRow:
    """A row of ``keras.layers``; the call is ``layer(x, training, mask)`` unless ``call`` says otherwise."""
    return LayerRow(f"keras.layers.{name}", op, "keras", rename, const, **{"call": "x, training=None, mask=None", **more})
