"""Normalisation layers; ``axis`` is the feature axis (or axes), sizes are taken from the first input."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

AXIS: Final = {"axis": "dim", "epsilon": "eps"}

ROWS: Final = (
    row("BatchNormalization", "batch_norm", AXIS, trainable=True),
    row("LayerNormalization", "layer_norm", AXIS, trainable=True),
    row("RMSNormalization", "rms_norm", AXIS, trainable=True),
    row("GroupNormalization", "group_norm", {"groups": "num_groups", **AXIS}, trainable=True),
    row("UnitNormalization", "normalize", {"axis": "dim"}),
)
