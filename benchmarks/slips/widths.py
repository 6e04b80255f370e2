"""Slips in the arguments of layers: widths, kernels, heads, classes of layers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.slips.kinds import Change, Model, argument, integer, kind, last_name, positional, revalued, scaled, written

_CONVOLUTIONS: Final = ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
_RECURRENT: Final = ("LSTM", "GRU", "RNN")
_CELLS: Final = ("LSTMCell", "GRUCell", "RNNCell")
_NORMS: Final = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm", "InstanceNorm2d")
_TAKES: Final = ("in_features", "in_channels", "input_size")
_GIVES: Final = ("out_features", "out_channels", "hidden_size")


def _layers(model: Model, *names: str) -> Iterator[cst.Call]:
    return (call for call in model.built if last_name(call) in names)


def _scaled(model: Model, names: tuple[str, ...], position: int, *keywords: str) -> Iterator[Change]:
    for call in _layers(model, *names):
        if (found := argument(call, position, *keywords)) is not None:
            yield revalued(found, scaled(found.value))


@kind("input width of a Linear")
def linear_input(model: Model) -> Iterator[Change]:
    """``Linear(2 * a, b)``."""
    return _scaled(model, ("Linear",), 0, *_TAKES)


@kind("output width of a Linear")
def linear_output(model: Model) -> Iterator[Change]:
    """``Linear(a, 2 * b)``."""
    return _scaled(model, ("Linear",), 1, *_GIVES)


@kind("in_channels of a convolution")
def convolution_input(model: Model) -> Iterator[Change]:
    """``Conv2d(2 * a, b, 3)``."""
    return _scaled(model, _CONVOLUTIONS, 0, *_TAKES)


@kind("out_channels of a convolution")
def convolution_output(model: Model) -> Iterator[Change]:
    """``Conv2d(a, 2 * b, 3)``."""
    return _scaled(model, _CONVOLUTIONS, 1, *_GIVES)


@kind("input width of a recurrent layer")
def recurrent_input(model: Model) -> Iterator[Change]:
    """``LSTM(2 * a, b)``."""
    return _scaled(model, (*_RECURRENT, *_CELLS), 0, *_TAKES)


@kind("hidden width of a recurrent layer")
def recurrent_output(model: Model) -> Iterator[Change]:
    """``LSTM(a, 2 * b)``."""
    return _scaled(model, (*_RECURRENT, *_CELLS), 1, *_GIVES)


@kind("width of an embedding")
def embedding_width(model: Model) -> Iterator[Change]:
    """``Embedding(n, 2 * d)``."""
    return _scaled(model, ("Embedding",), 1, "embedding_dim")


@kind("embedding too small")
def embedding_rows(model: Model) -> Iterator[Change]:
    """``Embedding(1, d)``: written for another count."""
    for call in _layers(model, "Embedding"):
        if (found := argument(call, 0, "num_embeddings")) is not None:
            yield revalued(found, cst.parse_expression(f"({written(found.value)}) // 4"))


@kind("width of a normalisation")
def norm_width(model: Model) -> Iterator[Change]:
    """``BatchNorm2d(2 * a)``."""
    return _scaled(model, _NORMS, 0, "num_features", "normalized_shape")


@kind("swapped arguments of a layer")
def swapped(model: Model) -> Iterator[Change]:
    """``Linear(b, a)``."""
    for call in _layers(model, "Linear", "Embedding", "Bilinear", *_CONVOLUTIONS, *_RECURRENT, *_CELLS):
        given = positional(call)
        if len(given) > 1 and written(given[0].value) != written(given[1].value):
            first, second = given[0], given[1]
            exchanged = (first.with_changes(value=second.value), second.with_changes(value=first.value), *call.args[2:])
            yield Change(call, call.with_changes(args=exchanged))


@kind("number of heads")
def heads(model: Model) -> Iterator[Change]:
    """A number of heads by which the width cannot be divided."""
    for call in model.built:
        position = {"MultiheadAttention": 1, "TransformerEncoderLayer": 1, "TransformerDecoderLayer": 1, "Transformer": 1}
        if last_name(call) in position and (found := argument(call, 1, "num_heads", "nhead")) is not None:
            yield revalued(found, cst.parse_expression(f"({written(found.value)}) * 2 + 1"))


@kind("kernel of a convolution")
def kernel(model: Model) -> Iterator[Change]:
    """A kernel larger by two."""
    for call in _layers(model, *_CONVOLUTIONS):
        found = argument(call, 2, "kernel_size")
        if found is not None and (size := integer(found)) is not None:
            yield revalued(found, cst.Integer(str(size + 2)))


@kind("stride of a convolution or pool")
def stride(model: Model) -> Iterator[Change]:
    """A stride of one more."""
    for call in _layers(model, *_CONVOLUTIONS, "MaxPool2d", "AvgPool2d", "MaxPool1d"):
        found = argument(call, 1 if "Pool" in last_name(call) else 3, "stride")
        if found is not None and (size := integer(found)) is not None:
            yield revalued(found, cst.Integer(str(size + 1)))


@kind("padding forgotten")
def padding(model: Model) -> Iterator[Change]:
    """Without the argument ``padding``."""
    for call in _layers(model, *_CONVOLUTIONS):
        rest = [arg for arg in call.args if arg.keyword is None or arg.keyword.value != "padding"]
        if len(rest) < len(call.args):
            yield Change(call, call.with_changes(args=[*rest[:-1], rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]))


@kind("layer of another number of dimensions")
def dimensions(model: Model) -> Iterator[Change]:
    """``BatchNorm1d`` for ``BatchNorm2d``."""
    other = {"BatchNorm2d": "BatchNorm1d", "BatchNorm1d": "BatchNorm2d", "Conv2d": "Conv1d", "MaxPool2d": "MaxPool1d"}
    other |= {"Conv1d": "Conv2d", "Dropout2d": "Dropout3d", "BatchNorm3d": "BatchNorm2d", "Conv3d": "Conv2d"}
    for call in _layers(model, *other):
        if isinstance(call.func, cst.Attribute):
            yield Change(call.func, call.func.with_changes(attr=cst.Name(other[last_name(call)])))


@kind("bidirectional added or taken away")
def bidirectional(model: Model) -> Iterator[Change]:
    """A recurrent layer gives twice, or half, as much."""
    for call in _layers(model, *_RECURRENT):
        found = argument(call, 99, "bidirectional")
        if found is not None and isinstance(found.value, cst.Name) and found.value.value in ("True", "False"):
            yield revalued(found, cst.Name("False" if found.value.value == "True" else "True"))
        elif found is None and call.args:
            added = cst.parse_expression("f(bidirectional=True)")
            assert isinstance(added, cst.Call)
            before = call.args[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            yield Change(call, call.with_changes(args=[*call.args[:-1], before, added.args[0]]))
