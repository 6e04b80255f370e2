"""Library calls that are statements, need keywords or build a layer first, as functions of their tensors."""

from __future__ import annotations

import importlib
from typing import Any


def assign(x: Any, index: Any, value: Any) -> Any:
    """``x[index] = value``."""
    x[index] = value
    return x


def array(data: Any, dtype: Any) -> Any:
    """``numpy.array(data, dtype=dtype)``."""
    return importlib.import_module("numpy").array(data, dtype=dtype)


def created(name: str, dtype: Any, *args: Any) -> Any:
    """``torch.zeros(shape, dtype=dtype)`` and its like."""
    return getattr(importlib.import_module("torch"), name)(*args, dtype=dtype)


def from_numpy(x: Any) -> Any:
    """``torch.from_numpy`` of the array with the tensor's elements."""
    return importlib.import_module("torch").from_numpy(x.numpy())


def dot_layer(x: Any, y: Any, axes: Any) -> Any:
    """``keras.layers.Dot(axes)([x, y])``."""
    return importlib.import_module("keras").layers.Dot(axes)([x, y])


def transformer_encoder(src: Any, d_model: int) -> Any:
    """``torch.nn.TransformerEncoder`` of one layer."""
    nn = importlib.import_module("torch.nn")
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model, 2, 16), 1, enable_nested_tensor=False).eval()(src)


def transformer_decoder(tgt: Any, memory: Any, d_model: int) -> Any:
    """``torch.nn.TransformerDecoder`` of one layer."""
    nn = importlib.import_module("torch.nn")
    return nn.TransformerDecoder(nn.TransformerDecoderLayer(d_model, 2, 16), 1).eval()(tgt, memory)


def ctc_loss(log_probs: Any, targets: Any) -> Any:
    """``ctc_loss`` with the full lengths and targets of one label."""
    torch = importlib.import_module("torch")
    length, batch, _ = log_probs.shape
    lengths = torch.full((batch,), length), torch.full((batch,), 1)
    return torch.nn.functional.ctc_loss(log_probs, targets, *lengths)
