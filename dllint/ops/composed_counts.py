"""Numbers of trainable elements of layers that consist of several: recurrences, attention, transformer blocks.

The formulas are those of the shapes in ``state_dict()`` of torch 2.13 and in ``weights`` of Keras 3.15 (run;
``tests/analysis/test_weight_counts.py``). Errors as in ``weight_counts.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import Dim
from dllint.ir.values import Value
from dllint.ops.weight_counts import biases, size_of, window_of

#: Gates per kind: rows of the weight matrices in units of the hidden size.
GATES: Final = {"lstm": 4, "gru": 3, "rnn": 1}


def _gates(args: Mapping[str, Value]) -> int:
    kind = args["kind"]
    if not isinstance(kind, str) or kind not in GATES:
        raise TypeError("kind")
    return GATES[kind]


def _is_of_keras(args: Mapping[str, Value]) -> bool:
    return "num_layers" not in args


def _torch_direction(args: Mapping[str, Value], features: Dim) -> Dim:
    """One layer of torch's recurrence in one direction: two matrices, two biases, and a projection if there is one."""
    hidden, projected = size_of(args, "hidden_size"), size_of(args, "proj_size") if args.get("proj_size") else 0
    fed_back = projected if projected != 0 else hidden
    width = _gates(args) * hidden
    return width * (features + fed_back) + 2 * (width if biases(args, "hidden_size") != 0 else 0) + projected * hidden


def recurrence(args: Mapping[str, Value]) -> Dim:
    """A recurrent layer: of torch with ``num_layers`` in one or two directions, or of Keras."""
    directions = 2 if args.get("bidirectional") is True else 1
    features = size_of(args, "input_size")
    if _is_of_keras(args):
        return directions * _keras_recurrence(args, features)
    hidden, layers = size_of(args, "hidden_size"), args["num_layers"]
    if not isinstance(layers, int):
        raise TypeError("num_layers")
    fed = size_of(args, "proj_size") if args.get("proj_size") else hidden
    first = _torch_direction(args, features)
    later = _torch_direction(args, fed * directions)
    return directions * (first + (layers - 1) * later)


def _keras_recurrence(args: Mapping[str, Value], features: Dim) -> Dim:
    """Keras: two matrices and a bias; a GRU that resets after the multiplication has two biases."""
    width = _gates(args) * size_of(args, "hidden_size")
    twice = args["kind"] == "gru" and args.get("reset_after", True) is not False
    shift = (2 if twice else 1) * width if biases(args, "hidden_size") != 0 else 0
    return width * (features + size_of(args, "hidden_size")) + shift


def cell(args: Mapping[str, Value]) -> Dim:
    """The cell of torch's recurrences."""
    return _torch_direction(args, size_of(args, "input_size"))


def convolved_recurrence(args: Mapping[str, Value]) -> Dim:
    """Keras's ConvLSTM: a convolution of the input and one of the state for four gates, and a bias."""
    channels, filters = size_of(args, "in_channels"), size_of(args, "out_channels")
    return 4 * (filters * (channels + filters) * window_of(args) + biases(args, "out_channels"))


def attention_weights(args: Mapping[str, Value]) -> Dim:
    """torch's MultiheadAttention: three projections and one of the result."""
    width = size_of(args, "embed_dim")
    key = size_of(args, "kdim") if args.get("kdim") is not None else width
    value = size_of(args, "vdim") if args.get("vdim") is not None else width
    shift = 4 * width if biases(args, "embed_dim") != 0 else 0
    return width * (2 * width + key + value) + shift + (2 * width if args.get("add_bias_kv") else 0)


def _block(args: Mapping[str, Value], attentions: int) -> Dim:
    """Attentions, two dense layers, and a normalisation after each attention and after the dense layers."""
    width = size_of(args, "d_model")
    inner = size_of(args, "dim_feedforward") if "dim_feedforward" in args else 2048
    shifted = biases(args, "d_model") != 0
    attended = 4 * width * width + (4 * width if shifted else 0)
    dense = 2 * width * inner + ((width + inner) if shifted else 0)
    return attentions * attended + dense + (attentions + 1) * width * (2 if shifted else 1)


def encoder_layer(args: Mapping[str, Value]) -> Dim:
    """torch's TransformerEncoderLayer."""
    return _block(args, 1)


def decoder_layer(args: Mapping[str, Value]) -> Dim:
    """torch's TransformerDecoderLayer: it attends to the memory, too."""
    return _block(args, 2)


def transformer(args: Mapping[str, Value]) -> Dim:
    """torch's Transformer: both stacks, each with a normalisation at its end."""
    if args.get("custom_encoder") is not None or args.get("custom_decoder") is not None:
        raise TypeError("custom")
    encoders, decoders = args["num_encoder_layers"], args["num_decoder_layers"]
    if not isinstance(encoders, int) or not isinstance(decoders, int):
        raise TypeError("layers")
    last = size_of(args, "d_model") * (2 if biases(args, "d_model") != 0 else 1)
    return encoders * _block(args, 1) + decoders * _block(args, 2) + 2 * last
