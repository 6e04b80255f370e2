"""Recurrent layers and cells; the wrappers stand in ``protocols.wrappers``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

UNITS: Final = {"units": "hidden_size", "use_bias": "bias"}
FILTERS: Final = {"filters": "out_channels", "strides": "stride", "dilation_rate": "dilation", "use_bias": "bias"}
SEQUENCE: Final = "x, initial_state=None, mask=None, training=False"
CELL: Final = "x, states, training=False"

ROWS: Final = (
    row("LSTM", "rnn", UNITS, {"kind": "lstm", "batch_first": True}, call=SEQUENCE, trainable=True),
    row("GRU", "rnn", UNITS, {"kind": "gru", "batch_first": True}, call=SEQUENCE, trainable=True),
    row("SimpleRNN", "rnn", UNITS, {"kind": "rnn", "batch_first": True}, call=SEQUENCE, trainable=True),
    *(row(f"ConvLSTM{n}D", "conv_rnn", FILTERS, {"spatial": n}, call=SEQUENCE, trainable=True) for n in (1, 2, 3)),
    row("LSTMCell", "rnn_cell", UNITS, {"kind": "lstm"}, call=CELL, trainable=True),
    row("GRUCell", "rnn_cell", UNITS, {"kind": "gru"}, call=CELL, trainable=True),
    row("SimpleRNNCell", "rnn_cell", UNITS, {"kind": "rnn"}, call=CELL, trainable=True),
)
