"""Rows of TensorFlow's convolutions, poolings and image functions."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

ROWS: Final = (
    FunctionRow("tensorflow.image.resize", "resize_image", "tensorflow", {"images": "x", "size": "shape"}),
    FunctionRow("tensorflow.pad", "pad", "tensorflow", {"tensor": "x", "paddings": "pad"}),
)
