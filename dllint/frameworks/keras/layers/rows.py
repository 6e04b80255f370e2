"""All layer rows by canonical name."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers import (
    attention,
    convolution,
    core,
    merging,
    normalization,
    pooling,
    preprocessing,
    recurrent,
)
from dllint.frameworks.rows import LayerRow

LAYERS: Final[dict[str, LayerRow]] = {
    row.name: row
    for family in (core, convolution, pooling, normalization, recurrent, merging, attention, preprocessing)
    for row in family.ROWS
}
