"""Ranges of what layers with weights give: once trained, anything."""

from __future__ import annotations

from dllint.domains.interval import UNKNOWN, Interval, Origin, unbounded
from dllint.ops.ranges.reduce import trained
from dllint.ops.ranges.spec import RangeCall, range_of


@range_of("linear", "conv", "conv_transpose", "bilinear", "separable_conv", "depthwise_conv", "einsum_dense", "embedding",
          "embedding_bag", "batch_norm", "layer_norm", "group_norm", "instance_norm", "rms_norm", "multihead_attention",
          "transformer_encoder_layer", "transformer_encoder", "transformer_decoder_layer", "transformer")  # fmt: skip
def _weighted(call: RangeCall) -> Interval:
    if call.index or call.arg("affine") is False or call.arg("elementwise_affine") is False:
        return UNKNOWN
    if call.op.layer is not None or any(trained(call.ranges(value)) for value in _weights(call)):
        return unbounded(Origin.TRAINED)
    return UNKNOWN


def _weights(call: RangeCall) -> list[object]:
    return [value for name, value in call.op.args.items() if name != "x"]


@range_of("variable")
def _variable(call: RangeCall) -> Interval:
    """A variable is trained, unless it counts or the source says that it is not."""
    if call.integer:
        return UNKNOWN
    return UNKNOWN if call.arg("trainable") is False else unbounded(Origin.TRAINED)
