"""Attention layers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

QUERY_VALUE: Final = (
    "query, value, key=None, query_mask=None, value_mask=None, key_mask=None, attention_mask=None, "
    "return_attention_scores=False, training=None, use_causal_mask=False"
)
INPUTS: Final = "inputs, mask=None, training=False, return_attention_scores=False, use_causal_mask=False"

ROWS: Final = (
    row("MultiHeadAttention", "keras_attention", call=QUERY_VALUE, trainable=True),
    row("GroupQueryAttention", "keras_attention", {"num_query_heads": "num_heads", "head_dim": "key_dim"}, call=QUERY_VALUE,
        trainable=True),
    row("Attention", "dot_attention", call=INPUTS),
    row("AdditiveAttention", "dot_attention", call=INPUTS),
)  # fmt: skip
