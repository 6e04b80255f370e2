"""The number of trainable elements of a layer is the framework's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dllint.analysis.weights import trainable_count
from dllint.lower.document import lower_document
from dllint.source.document import Document

TORCH = {
    "torch.nn.Linear(6, 4)": (3, 6),
    "torch.nn.Linear(6, 4, bias=False)": (3, 6),
    "torch.nn.Conv1d(4, 8, 3)": (2, 4, 9),
    "torch.nn.Conv2d(4, 8, (3, 2), groups=2)": (2, 4, 9, 9),
    "torch.nn.Conv3d(2, 4, 2, bias=False)": (2, 2, 5, 5, 5),
    "torch.nn.ConvTranspose2d(4, 8, 3, groups=2)": (2, 4, 9, 9),
    "torch.nn.BatchNorm2d(4)": (2, 4, 9, 9),
    "torch.nn.BatchNorm1d(4, affine=False)": (2, 4),
    "torch.nn.GroupNorm(2, 4)": (2, 4, 9),
    "torch.nn.LayerNorm((4, 5))": (2, 4, 5),
    "torch.nn.LayerNorm(5, bias=False)": (2, 4, 5),
    "torch.nn.LayerNorm(5, elementwise_affine=False)": (2, 4, 5),
    "torch.nn.RMSNorm(5)": (2, 4, 5),
    "torch.nn.InstanceNorm2d(4)": (2, 4, 9, 9),
    "torch.nn.InstanceNorm2d(4, affine=True)": (2, 4, 9, 9),
    "torch.nn.PReLU()": (2, 4),
    "torch.nn.PReLU(4)": (2, 4),
    "torch.nn.LSTM(5, 3)": (4, 2, 5),
    "torch.nn.LSTM(5, 4, num_layers=3, bidirectional=True, proj_size=2)": (4, 2, 5),
    "torch.nn.GRU(5, 3, 2, bias=False, batch_first=True)": (4, 2, 5),
    "torch.nn.RNN(5, 3, bidirectional=True)": (4, 2, 5),
    "torch.nn.GRUCell(5, 3)": (2, 5),
    "torch.nn.TransformerEncoderLayer(8, 2, dim_feedforward=6)": (3, 2, 8),
    "torch.nn.TransformerEncoderLayer(8, 2, bias=False)": (3, 2, 8),
}
KERAS = {
    "keras.layers.Dense(4)": (6,),
    "keras.layers.Dense(4, use_bias=False)": (3, 6),
    "keras.layers.Conv1D(8, 3)": (9, 4),
    "keras.layers.Conv2D(8, (3, 2), groups=2)": (9, 9, 4),
    "keras.layers.Conv2DTranspose(8, 3)": (9, 9, 4),
    "keras.layers.BatchNormalization()": (9, 4),
    "keras.layers.BatchNormalization(scale=False)": (9, 4),
    "keras.layers.LayerNormalization(center=False)": (9, 4),
    "keras.layers.DepthwiseConv2D(3, depth_multiplier=2)": (9, 9, 4),
    "keras.layers.SeparableConv2D(6, (3, 2), use_bias=False)": (9, 9, 4),
    "keras.layers.SeparableConv1D(6, 3, depth_multiplier=2)": (9, 4),
    "keras.layers.LSTM(3)": (9, 4),
    "keras.layers.GRU(3)": (9, 4),
    "keras.layers.GRU(3, reset_after=False)": (9, 4),
    "keras.layers.SimpleRNN(3, use_bias=False)": (9, 4),
}


def counted(text):
    programs = lower_document(Document.from_text(Path("a.py"), text)).programs
    return [count for op in programs[0].ops if (count := trainable_count(op)) is not None]


@pytest.mark.oracle
@pytest.mark.parametrize("layer", TORCH)
def test_torch(layer):
    import torch

    made = eval(layer, {"torch": torch})
    expected = sum(parameter.numel() for parameter in made.parameters())
    assert counted(f"import torch\nlayer = {layer}\nlayer(torch.randn{TORCH[layer]})\n") == [expected]


@pytest.mark.oracle
@pytest.mark.parametrize("layer", KERAS)
def test_keras(layer):
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras

    made = eval(layer, {"keras": keras})
    made(keras.Input(KERAS[layer]))
    expected = sum(weight.shape.num_elements() if hasattr(weight.shape, "num_elements") else int(keras.ops.size(weight))
                   for weight in made.trainable_weights)  # fmt: skip
    assert counted(f"import keras\nx = keras.Input({KERAS[layer]})\ny = {layer}(x)\n") == [expected]


def test_an_embedding_and_what_is_not_known():
    text = "import torch\ntorch.nn.Embedding(100, 8)(torch.ones(3, dtype=torch.int64))\n"
    assert counted(text) == [800]
    assert counted("import torch\nn = len(input())\ntorch.nn.Linear(n, 4)(torch.randn(2, n))\n") == []
    assert counted("import torch\ntorch.nn.ReLU()(torch.randn(2))\n") == []


def test_a_layer_of_no_groups_is_not_counted():
    assert counted("import torch\ntorch.nn.Conv2d(4, 8, 3, groups=0)(torch.randn(2, 4, 9, 9))\n") == []
