"""Convolutions: plain, transposed, separable and depthwise."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import WEIGHTED, row

WINDOW: Final = {"strides": "stride", "dilation_rate": "dilation", "use_bias": "bias"}
FILTERS: Final = {"filters": "out_channels", **WINDOW}

ROWS: Final = (
    *(row(f"Conv{n}D", "conv", FILTERS, {"spatial": n}, **WEIGHTED) for n in (1, 2, 3)),
    *(row(f"Conv{n}DTranspose", "conv_transpose", FILTERS, {"spatial": n}, **WEIGHTED) for n in (1, 2, 3)),
    *(row(f"SeparableConv{n}D", "separable_conv", FILTERS, {"spatial": n}, **WEIGHTED) for n in (1, 2)),
    *(row(f"DepthwiseConv{n}D", "depthwise_conv", WINDOW, {"spatial": n}, **WEIGHTED) for n in (1, 2)),
)
