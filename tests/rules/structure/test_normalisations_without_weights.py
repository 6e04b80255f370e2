"""Normalisations that have neither a scale nor a shift nor statistics can be built anew in each call."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import keras
import pytest
import torch

from tests.rules.training.variants import found

#: Calls that build a normalisation of torch, and whether it has weights or statistics.
TORCH: Final = {
    "nn.InstanceNorm2d(8)": False,
    "nn.InstanceNorm2d(8, eps=1e-3, affine=False)": False,
    "nn.InstanceNorm2d(8, affine=True)": True,
    "nn.InstanceNorm2d(8, track_running_stats=True)": True,
    "nn.LayerNorm(6, elementwise_affine=False)": False,
    "nn.LayerNorm(6)": True,
    "nn.GroupNorm(2, 8, affine=False)": False,
    "nn.GroupNorm(2, 8)": True,
    "nn.RMSNorm(6, elementwise_affine=False)": False,
    "nn.BatchNorm2d(8, affine=False, track_running_stats=False)": False,
    "nn.BatchNorm2d(8, affine=False)": True,
}
KERAS: Final = {
    "layers.LayerNormalization(center=False, scale=False)": False,
    "layers.LayerNormalization(center=False)": True,
    "layers.LayerNormalization(scale=False)": True,
    "layers.GroupNormalization(2, center=False, scale=False)": False,
    "layers.GroupNormalization(2, scale=False)": True,
    "layers.BatchNormalization(center=False, scale=False)": True,
    "layers.UnitNormalization()": False,
}
OF_TORCH: Final = {
    "direct": "x = {made}(self.body(x))",
    "named": "norm = {made}\n        x = norm(self.body(x)).contiguous()",
    "sequence": "x = nn.Sequential(nn.ReLU(), {made})(self.body(x))",
}
TORCH_MODEL: Final = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        {use}
        return x


Net()(torch.randn(2, 3, 8, 8))
"""
KERAS_MODEL: Final = """import numpy as np
from keras import Model, layers


class Net(Model):
    def __init__(self):
        super().__init__()
        self.body = layers.Conv2D(8, 3)

    def call(self, x):
        return {made}(self.body(x))


Net()(np.ones((2, 8, 8, 3), "float32"))
"""


@pytest.mark.parametrize(("made", "use"), list(product(TORCH, OF_TORCH)))
def test_normalisations_of_torch(made: str, use: str, tmp_path: Path) -> None:
    module = eval(made, {"nn": torch.nn})
    assert any(True for part in (module.parameters(), module.buffers()) for _ in part) is TORCH[made]
    told = found({"main.py": TORCH_MODEL.format(use=OF_TORCH[use].format(made=made))}, tmp_path, ("DLS104",))
    assert bool(told) is TORCH[made]


@pytest.mark.parametrize("made", KERAS)
def test_normalisations_of_keras(made: str, tmp_path: Path) -> None:
    layer = eval(made, {"layers": keras.layers})
    layer.build((2, 6, 6, 8))
    assert bool(layer.weights) is KERAS[made]
    assert bool(found({"main.py": KERAS_MODEL.format(made=made)}, tmp_path, ("DLS104",))) is KERAS[made]


@pytest.mark.parametrize("name", ["instance_norm", "layer_norm"])
@pytest.mark.parametrize("given", ["center=False, scale=False", "scale=False, epsilon=1e-5, center=False, trainable=False"])
def test_normalisations_of_tensorflow_1(name: str, given: str, tmp_path: Path) -> None:
    model = KERAS_MODEL.replace("from keras import", "import tensorflow as tf\nfrom tensorflow.keras import")
    text = model.replace("{made}(self.body(x))", f"tf.contrib.layers.{name}(self.body(x), {given})")
    assert found({"main.py": text}, tmp_path, ("DLS104",)) == []
    assert found({"main.py": text.replace("scale=False", "scale=True")}, tmp_path, ("DLS104",)) == ["DLS104"]
