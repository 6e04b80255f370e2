"""``keras.ops``: separable and transposed convolutions, normalisation, attention, losses per element."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

WINDOW: Final = {"kernel": "weight", "strides": "stride", "dilation_rate": "dilation"}
SEPARABLE: Final = {**WINDOW, "depthwise_kernel": "weight", "pointwise_kernel": "pointwise_weight"}
LOSS: Final = {"output": "x", "axis": "dim"}


def _row(name: str, op: str, rename: dict[str, str] | None = None) -> FunctionRow:
    return FunctionRow(f"keras.ops.{name}", op, "keras", rename or {})


ROWS: Final[tuple[FunctionRow, ...]] = (
    _row("separable_conv", "separable_conv", SEPARABLE),
    _row("conv_transpose", "conv_transpose", WINDOW),
    _row("adaptive_max_pool", "adaptive_max_pool"),
    _row("adaptive_average_pool", "adaptive_avg_pool"),
    _row("image.resize", "resize_image", {"images": "x", "size": "shape"}),
    _row("batch_normalization", "batch_norm", {"axis": "dim", "mean": "running_mean"}),
    _row("layer_normalization", "layer_norm", {"gamma": "weight", "axis": "dim"}),
    _row("rms_normalization", "rms_norm", {"axis": "dim"}),
    _row("dot_product_attention", "dot_product_attention"),
    _row("binary_crossentropy", "binary_crossentropy", LOSS),
    _row("categorical_crossentropy", "categorical_crossentropy", LOSS),
    _row("sparse_categorical_crossentropy", "sparse_categorical_crossentropy", LOSS),
)
