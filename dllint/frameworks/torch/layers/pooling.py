"""Pooling, padding, up-sampling and shuffling layers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import LayerRow
from dllint.frameworks.torch.layers.row import row

POOLS: Final = {
    "MaxPool": "max_pool", "AvgPool": "avg_pool", "LPPool": "lp_pool", "AdaptiveAvgPool": "adaptive_avg_pool",
    "AdaptiveMaxPool": "adaptive_max_pool",
}  # fmt: skip
PADS: Final = {"ConstantPad": "constant", "ZeroPad": "constant", "ReflectionPad": "reflect", "ReplicationPad": "replicate",
               "CircularPad": "circular"}  # fmt: skip

ROWS: Final[tuple[LayerRow, ...]] = (
    *(row(f"{name}{n}d", op, const={"spatial": n}) for name, op in POOLS.items() for n in (1, 2, 3)),
    *(row(f"MaxUnpool{n}d", "max_unpool", const={"spatial": n}, call="x, indices, output_size=None") for n in (1, 2, 3)),
    *(row(f"FractionalMaxPool{n}d", "fractional_max_pool", const={"spatial": n}) for n in (2, 3)),
    *(
        row(f"{name}{n}d", "pad", {"padding": "pad"}, {"mode": mode, "spatial": n})
        for name, mode in PADS.items()
        for n in (1, 2, 3)
    ),
    row("Upsample", "interpolate", {"size": "size"}),
    row("UpsamplingNearest2d", "interpolate", {"size": "size"}),
    row("UpsamplingBilinear2d", "interpolate", {"size": "size"}, {"mode": "bilinear"}),
    row("PixelShuffle", "pixel_shuffle", {"upscale_factor": "factor"}),
    row("PixelUnshuffle", "pixel_unshuffle", {"downscale_factor": "factor"}),
    row("ChannelShuffle", "channel_shuffle"),
    row("Flatten", "flatten"),
    row("Unflatten", "unflatten", {"unflattened_size": "sizes"}),
)
