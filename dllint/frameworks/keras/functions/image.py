"""Convolution, pooling and image functions of ``keras.ops`` and ``keras.backend``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

WINDOW: Final = {"inputs": "x", "strides": "stride", "pool_size": "kernel_size", "dilation_rate": "dilation"}
KERNEL: Final = {**WINDOW, "kernel": "weight"}

RESIZE: Final = (
    "images, size, interpolation='bilinear', antialias=False, crop_to_aspect_ratio=False, pad_to_aspect_ratio=False, "
    "fill_mode='constant', fill_value=0.0, data_format=None"
)

ROWS: Final = (
    FunctionRow("keras.ops.conv", "conv", "keras", KERNEL),
    FunctionRow("keras.ops.depthwise_conv", "depthwise_conv", "keras", KERNEL),
    FunctionRow("keras.ops.max_pool", "max_pool", "keras", WINDOW),
    FunctionRow("keras.ops.average_pool", "avg_pool", "keras", WINDOW),
    FunctionRow("keras.ops.pad", "pad", "keras", {"pad_width": "pad"}),
    FunctionRow("keras.ops.resize", "resize_image", "keras", {"images": "x", "size": "shape"}, params=RESIZE),
    *(
        FunctionRow(f"keras.backend.conv{n}d", "conv", "keras", {**KERNEL, "strides": "stride"}, {"spatial": n})
        for n in (1, 2, 3)
    ),
)
