"""How the tables of this package write a layer's row."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.frameworks.rows import EMPTY, LayerRow
from dllint.ir.values import Value


def row(
    name: str,
    op: str,
    rename: Mapping[str, str] = EMPTY,
    const: Mapping[str, Value] = EMPTY,
    *,
    params: str = "",
    call: str = "x",
    trainable: bool = False,
) -> LayerRow:
    """A row of ``torch.nn``; the call is ``layer(input)`` unless ``call`` says otherwise. The element type of its weights
    is configured as ``weight_dtype``."""
    return LayerRow(f"torch.nn.{name}", op, "torch", {"dtype": "weight_dtype", **rename}, const, params, call, trainable)
