"""Ranges of attention and of recurrent layers."""

from __future__ import annotations

from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, unbounded
from dllint.ops.ranges.reduce import NOTHING, may_be_empty
from dllint.ops.ranges.rounding import mixed, roundoff, widened
from dllint.ops.ranges.spec import RangeCall, range_of


@range_of("scaled_dot_product_attention", "dot_product_attention")
def _mixture(call: RangeCall) -> Interval:
    """Values mixed with weights that add up to 1, but for dropout; 0 where there are no values, or all are masked."""
    value, dropped = call.of("value"), call.arg("dropout_p")
    if dropped is not None and dropped != 0:
        return UNKNOWN
    if call.arg("attn_mask") is not None or may_be_empty(call.arg("value"), -2):
        value = value.join(NOTHING)
    return mixed(widened(value, 2 * roundoff(None, call.fmt) + 2.0 ** (1 - call.fmt.precision), call.fmt))


@range_of("dot_attention", "keras_attention")
def _layer(call: RangeCall) -> Interval:
    """The scores, which are the second result, are probabilities; what they mix is projected by weights."""
    if call.index:
        return between(0, 1, Origin.UNKNOWN)
    return unbounded(Origin.TRAINED) if call.op.kind == "keras_attention" else UNKNOWN


#: Layers whose states lie between -1 and 1, torch's long short-term memory's cell state excepted.
_BOUNDED = frozenset({"lstm", "gru", "rnn", "simple_rnn", "LSTM", "GRU", "SimpleRNN", "RNN"})


@range_of("rnn", "rnn_cell")
def _states(call: RangeCall) -> Interval:
    """Outputs are products of hyperbolic tangents and gates, or mixtures of such with the state before."""
    if call.op.kind == "rnn_cell" and call.op.framework == "keras" and call.arg("kind") == "gru":
        return UNKNOWN  # its state is always given
    plain = call.arg("hx") is None and call.arg("initial_state") is None and call.arg("states") is None
    usual = (
        call.arg("nonlinearity", "tanh") == call.arg("activation", "tanh") == "tanh"
        and call.arg("recurrent_activation", "sigmoid") == "sigmoid"
    )
    if call.index or not plain or not usual or call.arg("proj_size") or call.arg("kind") not in _BOUNDED:
        return UNKNOWN
    return Interval(Bound(-1.0, Origin.TRAINED), Bound(1.0, Origin.TRAINED))


@range_of("conv_rnn", "transformer_decoder")
def _trained_layer(call: RangeCall) -> Interval:
    return UNKNOWN if call.index else unbounded(Origin.TRAINED)
