"""Convolution and linear layers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import LayerRow
from dllint.frameworks.torch.layers.row import row

WINDOWED: Final[tuple[LayerRow, ...]] = tuple(
    made
    for n in (1, 2, 3)
    for made in (
        row(f"Conv{n}d", "conv", const={"spatial": n}, trainable=True),
        row(f"ConvTranspose{n}d", "conv_transpose", const={"spatial": n}, call="x, output_size=None", trainable=True),
        row(f"LazyConv{n}d", "conv", const={"spatial": n}, trainable=True),
        row(f"LazyConvTranspose{n}d", "conv_transpose", const={"spatial": n}, call="x, output_size=None", trainable=True),
    )
)
ROWS: Final[tuple[LayerRow, ...]] = (
    *WINDOWED,
    row("Linear", "linear", trainable=True),
    row("LazyLinear", "linear", trainable=True),
    row(
        "Bilinear",
        "bilinear",
        {"in1_features": "in_features", "in2_features": "in_features2", "input1": "x", "input2": "y"},
        call="x, y",
        trainable=True,
    ),
    row("Fold", "fold"),
    row("Unfold", "unfold"),
)
