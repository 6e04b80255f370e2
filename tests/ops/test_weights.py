"""Parameter shapes of layers, by attribute name, against the real layers."""

from __future__ import annotations

import os
from typing import Any

import pytest

from dllint.domains.shape import Shape
from dllint.frameworks.keras.protocols.convert import WIDTHS
from dllint.ops.spec import WEIGHTS
from tests.ops.layer_calls import configuration, parse

os.environ.setdefault("KERAS_BACKEND", "torch")
pytestmark = pytest.mark.oracle

TORCH = [
    "Conv1d(4, 6, 3)",
    "Conv2d(4, 6, (3, 5), groups=2)",
    "Conv2d(4, 6, 3, bias=False)",
    "Conv3d(4, 6, 3)",
    "ConvTranspose1d(4, 6, 3)",
    "ConvTranspose2d(4, 6, (3, 5), groups=2)",
    "ConvTranspose3d(4, 6, 3, bias=False)",
    "BatchNorm1d(5)",
    "BatchNorm2d(5, affine=False)",
    "BatchNorm3d(5, track_running_stats=False)",
    "InstanceNorm2d(5)",
    "InstanceNorm2d(5, affine=True, track_running_stats=True)",
    "LayerNorm(5)",
    "LayerNorm((4, 5), bias=False)",
    "LayerNorm((4, 5), elementwise_affine=False)",
    "RMSNorm((4, 5))",
    "GroupNorm(2, 6)",
    "GroupNorm(2, 6, affine=False)",
    "Embedding(10, 4)",
    "EmbeddingBag(10, 4)",
    "LSTM(5, 7)",
    "LSTM(5, 7, 2, bidirectional=True, bias=False)",
    "LSTM(5, 7, 2, proj_size=3)",
    "GRU(5, 7, 2)",
    "RNN(5, 7, bidirectional=True)",
    "LSTMCell(5, 7)",
    "GRUCell(5, 7, bias=False)",
    "RNNCell(5, 7)",
    "MultiheadAttention(8, 2)",
    "MultiheadAttention(8, 2, kdim=3, vdim=5)",
    "Linear(5, 7)",
    "Linear(5, 7, bias=False)",
    "Bilinear(5, 6, 7)",
    "PReLU(3)",
]

KERAS: list[tuple[str, Shape]] = [
    ("Conv1D(6, 3)", (2, 9, 4)),
    ("Conv2D(6, (3, 5), groups=2)", (2, 9, 8, 4)),
    ("Conv2D(6, 3, use_bias=False)", (2, 9, 8, 4)),
    ("Conv2DTranspose(6, 3)", (2, 9, 8, 4)),
    ("DepthwiseConv2D(3, depth_multiplier=2)", (2, 9, 8, 4)),
    ("BatchNormalization()", (2, 9, 4)),
    ("BatchNormalization(scale=False)", (2, 4)),
    ("Embedding(10, 4)", (2, 3)),
    ("Dense(7)", (2, 4)),
]


@pytest.mark.parametrize("sample", TORCH)
def test_torch_state(sample: str) -> None:
    torch = pytest.importorskip("torch")
    layer = eval(f"nn.{sample}", {"nn": torch.nn})
    name, arguments = parse(sample)
    row, config = configuration(f"torch.nn.{name}", arguments)
    state = {k: tuple(v.shape) for k, v in layer.state_dict().items() if "." not in k and k != "num_batches_tracked"}
    assert {k: v.shape for k, v in WEIGHTS[row.op](**{**config, "framework": "torch"}).items()} == state


@pytest.mark.parametrize(("sample", "shape"), KERAS)
def test_keras_variables(sample: str, shape: Shape) -> None:
    keras = pytest.importorskip("keras")
    layer: Any = eval(f"layers.{sample}", {"layers": keras.layers})
    layer.build(shape)
    name, arguments = parse(sample)
    row, config = configuration(f"keras.layers.{name}", arguments)
    if row.op in WIDTHS:
        config[WIDTHS[row.op]] = shape[-1]
    own = {v.name: tuple(v.shape) for v in layer.weights}
    assert {k: v.shape for k, v in WEIGHTS[row.op](**{**config, "framework": "keras"}).items()} == own
