"""``tf.nn``: windows and embedding look-ups. ``strides`` and ``ksize`` may list all axes, which the operations read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.frameworks.rows import FunctionRow
from dllint.ir.values import Value

WINDOW: Final = {
    "input": "x", "value": "x", "filters": "weight", "filter": "weight", "strides": "stride", "stride": "stride",
    "dilations": "dilation", "rate": "dilation", "dilation_rate": "dilation", "output_shape": "output_size",
}  # fmt: skip
SEPARABLE: Final = {**WINDOW, "depthwise_filter": "weight", "pointwise_filter": "pointwise_weight"}
POOL: Final = {"input": "x", "value": "x", "ksize": "kernel_size", "strides": "stride"}
#: Keywords of both releases; their positions differ after the second.
CONVOLUTION: Final = (
    "input, filters=None, strides=1, padding='VALID', data_format=None, dilations=1, name=None, filter=None, dilation_rate=1"
)
ATROUS: Final = "value, filters, rate, padding, name=None"


def _row(
    name: str, op: str, rename: Mapping[str, str], const: Mapping[str, Value] | None = None, params: str = ""
) -> FunctionRow:
    return FunctionRow(f"tensorflow.{name}", op, "tensorflow", rename, const or {}, params)


ROWS: Final[tuple[FunctionRow, ...]] = (
    *(_row(f"nn.conv{n}d", "conv", WINDOW, {"spatial": n}) for n in (1, 2, 3)),
    _row("nn.convolution", "conv", WINDOW, params=CONVOLUTION),
    _row("nn.atrous_conv2d", "conv", WINDOW, {"spatial": 2}, ATROUS),
    *(_row(f"nn.conv{n}d_transpose", "conv_transpose", WINDOW, {"spatial": n}) for n in (1, 2, 3)),
    _row("nn.depthwise_conv2d", "depthwise_conv", WINDOW, {"spatial": 2}),
    _row("nn.separable_conv2d", "separable_conv", SEPARABLE, {"spatial": 2}),
    *(_row(f"nn.max_pool{n}d", "max_pool", POOL, {"spatial": n}) for n in (1, 2, 3)),
    *(_row(f"nn.avg_pool{n}d", "avg_pool", POOL, {"spatial": n}) for n in (1, 2, 3)),
    _row("nn.max_pool", "max_pool", POOL),
    _row("nn.avg_pool", "avg_pool", POOL),
    _row("nn.bias_add", "add", {"value": "x", "bias": "y"}),
    _row("nn.lrn", "local_response_norm", {"input": "x", "depth_radius": "window"}),
    _row("nn.local_response_normalization", "local_response_norm", {"input": "x", "depth_radius": "window"}),
)  # fmt: skip
