"""Ranges of layers with weights, which are unbounded once the weights are trained."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from dllint.domains.interval import UNKNOWN, Interval, Origin, exactly, unbounded
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import by_name
from dllint.ops.ranges.products import contracted, trained
from dllint.ops.ranges.rounding import started
from dllint.ops.ranges.spec import RangeCall, Transfer, range_of, shape_of
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait


@range_of("linear", "conv", "conv_transpose", "bilinear", "separable_conv", "depthwise_conv", "einsum_dense", "embedding",
          "embedding_bag", "multihead_attention", "transformer_encoder_layer", "transformer_encoder",
          "transformer_decoder_layer", "transformer")  # fmt: skip
def _weighted(call: RangeCall) -> Interval:
    if call.index:
        return UNKNOWN
    if call.op.layer is not None or any(trained(call.ranges(value)) for value in _weights(call)):
        return unbounded(Origin.TRAINED)
    known = _KNOWN.get(call.op.kind)
    return UNKNOWN if known is None or not isinstance(call.arg("weight"), TensorVal) else known(call)


def _weights(call: RangeCall) -> list[Value]:
    return [value for name, value in call.op.args.items() if name != "x"]


def _affine(call: RangeCall) -> Interval:
    """A function of given weights: the inputs of each output times them, and a bias."""
    bias, count = call.arg("bias"), _fan_in(call)
    found = contracted(call.of("x").join(exactly(0)), call.of("weight"), count, call)
    return started(found, call.ranges(bias), count, call.fmt) if isinstance(bias, TensorVal) else found


def _fan_in(call: RangeCall) -> int | None:
    """The number of inputs of one output: all axes of the weight but that of the outputs, torch's first and others' last."""
    shape = shape_of(call.arg("weight"))
    if shape is not None and len(shape) == 1:  # one output, without an axis
        shape = (1, *shape)
    inputs = slice(1, None) if call.op.framework == "torch" else slice(None, -1)
    sizes = None if shape is None else whole_numbers(shape[inputs])
    return None if sizes is None else math.prod(sizes)


def _looked_up(call: RangeCall) -> Interval:
    """Rows of a table; rows that are too long are shortened."""
    table = call.of("weight")
    return table if call.arg("max_norm") is None else table.join(exactly(0))


#: What functions that take weights in torch's layout make of them.
_ON_WEIGHTS: Final[Mapping[Trait, Transfer]] = {Trait.DENSE: _affine, Trait.PLAIN_CONVOLUTION: _affine}
_KNOWN: Final[Mapping[str, Transfer]] = {**by_name(_ON_WEIGHTS), "embedding": _looked_up}


@range_of("variable")
def _variable(call: RangeCall) -> Interval:
    """A variable is trained, and unbounded, unless it is a counter or declared as not trainable."""
    if call.integer:
        return UNKNOWN
    return UNKNOWN if call.arg("trainable") is False else unbounded(Origin.TRAINED)
