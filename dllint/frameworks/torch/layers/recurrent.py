"""Recurrent layers and cells, attention and transformers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import LayerRow
from dllint.frameworks.torch.layers.row import row

KINDS: Final = {"LSTM": "lstm", "GRU": "gru", "RNN": "rnn"}
CELLS: Final = {"LSTMCell": "lstm", "GRUCell": "gru", "RNNCell": "rnn"}
MASKS: Final = "src_mask=None, tgt_mask=None, memory_mask=None"

ROWS: Final[tuple[LayerRow, ...]] = (
    *(row(name, "rnn", const={"kind": kind}, call="x, hx=None", trainable=True) for name, kind in KINDS.items()),
    *(row(name, "rnn_cell", const={"kind": kind}, call="x, hx=None", trainable=True) for name, kind in CELLS.items()),
    row(
        "MultiheadAttention",
        "multihead_attention",
        call="query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, "
        "is_causal=False",
        trainable=True,
    ),
    row(
        "TransformerEncoderLayer",
        "transformer_encoder_layer",
        call="src, src_mask=None, src_key_padding_mask=None, is_causal=False",
        trainable=True,
    ),
    row(
        "TransformerDecoderLayer",
        "transformer_decoder_layer",
        call="tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, "
        "tgt_is_causal=False, memory_is_causal=False",
        trainable=True,
    ),
    row("Transformer", "transformer", call=f"src, tgt, {MASKS}, **more", trainable=True),
)
