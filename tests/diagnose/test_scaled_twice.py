"""Pictures that are divided by 255 twice: told, and one of the divisions is left out."""

from __future__ import annotations

import ast

import pytest

KERAS = """
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(0)
draw = np.random.default_rng(0)
kinds = draw.integers(0, 3, 240)
pictures = draw.integers(0, 120, (240, 6, 6, 3)) + 90 * (np.arange(3) == kinds[:, None, None, None])
x = pictures.astype("float32"){divided}
{model}
net.compile("sgd", "sparse_categorical_crossentropy")
net.fit(x, kinds, epochs=4, batch_size=30, verbose=0)
"""
LIST = (
    "net = keras.Sequential([keras.Input((6, 6, 3)), layers.Rescaling({scale}), layers.Flatten(), layers.Dense(3, 'softmax')])"
)
ADDED = """net = keras.Sequential()
net.add(keras.Input((6, 6, 3)))
net.add(layers.Rescaling({scale}))
net.add(layers.Conv2D(4, 3))
net.add(layers.Flatten())
net.add(layers.Dense(3, activation="softmax"))"""
CALLED = """inputs = keras.Input((6, 6, 3))
h = layers.Rescaling({scale})(inputs)
h = layers.Flatten()(layers.Conv2D(4, 3)(h))
net = keras.Model(inputs, layers.Dense(3, activation="softmax")(h))"""
TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
kinds = torch.randint(0, 3, (240,))
pictures = torch.randint(0, 120, (240, 3, 6, 6)) + 90 * (torch.arange(3) == kinds[:, None])[..., None, None]
def scaled(batch):
    {second}
    return batch
loader = DataLoader(TensorDataset(pictures.float(){first}, kinds), batch_size=30, shuffle=True)
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(64, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for images, labels in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(scaled(images)), labels).backward()
        optimizer.step()
"""


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "inputs scaled twice"]


@pytest.mark.oracle
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("scale", ["1 / 255", "1.0 / 127.5, offset=-1"])
@pytest.mark.parametrize("model", [LIST, ADDED, CALLED])
def test_a_layer_that_scales_what_is_scaled(diagnose, model, scale):
    text = KERAS.format(divided=" / 255.0", model=model.format(scale=scale))
    (finding,) = told(diagnose(text))
    assert "Rescaling(" in text.splitlines()[finding["location"]["row"] - 1]
    assert len(finding["fixes"]) == 2
    for fix in finding["fixes"]:
        (edit,) = fix["edits"]
        start, end = (offset(text, edit[at]) for at in ("location", "end_location"))
        repaired = text[:start] + edit["content"] + text[end:]
        ast.parse(repaired)
        assert (" / 255.0" in repaired) + ("Rescaling(" in repaired) == 1


def offset(text, place):
    return sum(len(line) for line in text.splitlines(keepends=True)[: place["row"] - 1]) + place["column"] - 1


@pytest.mark.oracle
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("divided", "scale"), [("", "1 / 255"), (" / 255.0", "2.0, offset=-1.0")])
def test_pictures_that_are_scaled_once(diagnose, divided, scale):
    assert not told(diagnose(KERAS.format(divided=divided, model=LIST.format(scale=scale))))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "second", ["batch = batch / 255", "batch /= 255.0", "batch = batch.div(255)", "batch = batch * (1 / 255)"]
)
def test_divisions_of_a_loop_of_the_users_own(diagnose, second):
    (finding,) = told(diagnose(TORCH.format(first=" / 255", second=second)))
    # What is multiplied by a factor is repaired where the pictures are divided.
    assert len(finding["fixes"]) == (1 if "*" in second else 2)


@pytest.mark.parametrize(("first", "second"), [(" / 255", "pass"), ("", "batch = batch / 255")])
def test_divisions_by_which_pictures_are_scaled_once(diagnose, first, second):
    assert not told(diagnose(TORCH.format(first=first, second=second)))
