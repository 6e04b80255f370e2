"""``tf.nn``: windows and embedding look-ups. ``strides`` and ``ksize`` may list all axes, which the operations read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dllint.frameworks.rows import FunctionRow

WINDOW: Final = {"input": "x", "filters": "weight", "filter": "weight", "strides": "stride", "dilations": "dilation"}
SEPARABLE: Final = {**WINDOW, "depthwise_filter": "weight", "pointwise_filter": "pointwise_weight"}
POOL: Final = {"input": "x", "value": "x", "ksize": "kernel_size", "strides": "stride"}


def _row(name: str, op: str, rename: Mapping[str, str], const: Mapping[str, Any] | None = None) -> FunctionRow:
    return FunctionRow(f"tensorflow.{name}", op, "tensorflow", rename, const or {})


ROWS: Final[tuple[FunctionRow, ...]] = (
    *(_row(f"nn.conv{n}d", "conv", WINDOW, {"spatial": n}) for n in (1, 2, 3)),
    _row("nn.convolution", "conv", WINDOW),
    *(
        _row(f"nn.conv{n}d_transpose", "conv_transpose", {**WINDOW, "output_shape": "output_size"}, {"spatial": n})
        for n in (1, 2, 3)
    ),
    _row("nn.depthwise_conv2d", "depthwise_conv", WINDOW, {"spatial": 2}),
    _row("nn.separable_conv2d", "separable_conv", SEPARABLE, {"spatial": 2}),
    *(_row(f"nn.max_pool{n}d", "max_pool", POOL, {"spatial": n}) for n in (1, 2, 3)),
    *(_row(f"nn.avg_pool{n}d", "avg_pool", POOL, {"spatial": n}) for n in (1, 2, 3)),
    _row("nn.max_pool", "max_pool", POOL),
    _row("nn.avg_pool", "avg_pool", POOL),
    _row("nn.bias_add", "add", {"value": "x", "bias": "y"}),
    _row("nn.lrn", "local_response_norm", {"input": "x", "depth_radius": "window"}),
    _row("nn.embedding_lookup", "embedding", {"params": "weight", "ids": "x"}),
)
