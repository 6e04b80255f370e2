"""How the tables of this package write a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from dllint.frameworks.rows import EMPTY, LayerRow
from dllint.ir.values import Value


class Weighted(TypedDict):
    """A row of a layer with weights and an ``activation`` argument."""

    trainable: bool
    activation: str


WEIGHTED: Final[Weighted] = {"trainable": True, "activation": "activation"}


def row(
    name: str,
    op: str,
    rename: Mapping[str, str] = EMPTY,
    const: Mapping[str, Value] = EMPTY,
    *,
    params: str = "",
    call: str = "x, training=None, mask=None",
    trainable: bool = False,
    activation: str = "",
) -> LayerRow:
    """A row of ``keras.layers``; the call is ``layer(x, training, mask)`` unless ``call`` says otherwise."""
    return LayerRow(f"keras.layers.{name}", op, "keras", rename, const, params, call, trainable, activation)
