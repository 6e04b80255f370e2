"""Targets that leave what their loss or the activation before it is for, however they come to the loss."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings, reports

TORCH = """
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split


class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


x = torch.randn(100, 8)
y = {labels}
net = nn.Sequential(nn.Linear(8, {units}), {last})
{data}
for xb, yb in loader:
    loss = {loss}
    loss.backward()
with torch.no_grad():
    for xb, yb in loader:
        print(net(xb))
"""
DATA = (
    "loader = DataLoader(TensorDataset(x, y), batch_size=10)",
    "loader = DataLoader(Rows(x, y), batch_size=10, shuffle=True)",
    "train, test = random_split(Rows(x, y), [80, 20])\nloader = DataLoader(train, batch_size=10)",
    "loader = [(x, y)]",
)
SIGMOID, TANH, SOFTMAX, NOTHING = "nn.Sigmoid()", "nn.Tanh()", "nn.Softmax(dim=1)", "nn.Identity()"
BCE, SCORES = "F.binary_cross_entropy(net(xb), yb)", "nn.BCEWithLogitsLoss()(net(xb), yb)"
MSE, L1, CE = "F.mse_loss(net(xb), yb)", "nn.L1Loss()(net(xb), yb)", "F.cross_entropy(net(xb), yb.long())"
#: Labels, units, last layer, loss.
WRONG = {
    "classes under a binary loss": ("torch.randint(0, 3, (100, 1)).float()", 1, SIGMOID, BCE, "DLL112"),
    "signs": ("(torch.randint(0, 2, (100, 1)) * 2 - 1).float()", 1, NOTHING, SCORES, "DLL112"),
    "other signs": ("1.0 - 2 * torch.randint(0, 2, (100, 1))", 1, NOTHING, SCORES, "DLL112"),
    "bytes": ("torch.randint(0, 256, (100, 3)).float()", 3, SIGMOID, MSE, "DLL112"),
    "bytes and tanh": ("torch.from_numpy(np.random.randint(0, 256, (100, 3))).float()", 3, TANH, L1, "DLL112"),
    "numbers of classes": ("torch.randint(0, 9, (100, 3)).float()", 3, SOFTMAX, MSE, "DLL112"),
    "divided classes": ("torch.randint(0, 3, (100,)) / 255", 3, NOTHING, CE, "DLD116"),
    "multiplied classes": ("torch.randint(0, 10, (100,)) * 0.1", 10, NOTHING, CE, "DLD116"),
}
RIGHT = {
    "zeros and ones": ("torch.randint(0, 2, (100, 1)).float()", 1, SIGMOID, BCE),
    "smoothed": ("torch.randint(0, 2, (100, 1)) * 0.9", 1, NOTHING, SCORES),
    "one of several": ("(torch.randint(0, 9, (100, 1)) == 4).float()", 1, SIGMOID, BCE),
    "scaled bytes": ("torch.randint(0, 256, (100, 3)) / 255", 3, SIGMOID, MSE),
    "scaled to both sides": ("torch.randint(0, 256, (100, 3)) / 127.5 - 1", 3, TANH, MSE),
    "numbers": ("torch.randint(0, 256, (100, 3)).float()", 3, NOTHING, MSE),
    "unknown": ("torch.load('labels.pt')", 1, SIGMOID, BCE),
    "weighed": (
        "torch.randint(-1, 2, (100, 1)) * 1.0",
        1,
        NOTHING,
        "nn.BCEWithLogitsLoss(weight=(yb >= 0).float())(net(xb), yb)",
    ),
    "masked later": (
        "torch.randint(-1, 2, (100, 1)).float()",
        1,
        NOTHING,
        "nn.BCEWithLogitsLoss(reduction='none')(net(xb), yb)[yb >= 0].mean()",
    ),
    "mask of bytes": ("torch.randint(0, 256, (100,)) / 255", 3, NOTHING, CE),
    "divided into whole numbers": ("torch.randint(0, 30, (100,)) // 10", 3, NOTHING, CE),
}


def codes(labels: str, units: int, last: str, loss: str, data: str) -> list[str]:
    text = TORCH.format(labels=labels, units=units, last=last, loss=loss, data=data)
    return [code for _, code in reports(text) if code in ("DLL112", "DLD116")]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_targets(name):
    *parts, code = WRONG[name]
    for data in DATA:
        assert codes(*parts, data) == [code], data


@pytest.mark.parametrize("name", RIGHT)
def test_right_targets(name):
    for data in DATA:
        assert codes(*RIGHT[name], data) == [], data


PICTURES = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

scale = transforms.Compose([transforms.ToTensor(), {normalize}])
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 784), {last})
for x, _ in DataLoader(datasets.{images}(".", transform=scale), batch_size=64):
    loss = {loss}(net(x), {target})
    loss.backward()
for x, _ in DataLoader(datasets.{images}(".", train=False, transform=scale), batch_size=64):
    print(net(x))
"""
NORMALIZE = "transforms.Normalize((0.5,), (0.5,))"
LOSSES = ("F.mse_loss", "nn.BCELoss()", "F.binary_cross_entropy")
TARGETS = ("x.view(-1, 784)", "x.flatten(1)", "torch.flatten(x, start_dim=1)")


@pytest.mark.parametrize("images", ["MNIST", "FashionMNIST"])
def test_pictures_as_targets(images):
    for loss, target in product(LOSSES, TARGETS):
        wrong = PICTURES.format(images=images, normalize=NORMALIZE, last=SIGMOID, loss=loss, target=target)
        right = PICTURES.format(images=images, normalize="transforms.RandomRotation(9)", last=SIGMOID, loss=loss, target=target)
        assert [code for _, code in reports(wrong)] == ["DLL112"], wrong
        assert reports(right) == [], right
    tanh = PICTURES.format(images=images, normalize=NORMALIZE, last=TANH, loss="F.mse_loss", target=TARGETS[0])
    assert reports(tanh) == []


KERAS = """
import numpy as np
import pandas as pd
import tensorflow as tf
from keras import Input, Sequential, layers
from keras.utils import to_categorical
from sklearn.preprocessing import LabelEncoder, OneHotEncoder

column = pd.read_csv("a.csv")["c"]
x, y = np.random.rand(100, 8), {labels}
model = Sequential([Input((8,)), layers.Dense(3, activation="softmax")])
model.compile("adam", loss="{loss}")
model.fit({x}, {y})
"""
INDICES = (
    "np.random.randint(0, 3, 100)",
    "LabelEncoder().fit_transform(column)",
    "np.random.randint(0, 3, 100).astype('float32')",
)
ROWS = (
    "to_categorical(np.random.randint(0, 3, 100), 3)",
    "to_categorical(LabelEncoder().fit_transform(column))",
    "np.eye(3)[np.random.randint(0, 3, 100)]",
    "tf.one_hot(np.random.randint(0, 3, 100), 3)",
    "pd.get_dummies(column).values",
    "OneHotEncoder().fit_transform(column.to_frame()).toarray()",
)
LABELS = [*product(INDICES, ("sparse_categorical_crossentropy",)), *product(ROWS, ("categorical_crossentropy",))]


@pytest.mark.parametrize(("labels", "loss"), LABELS)
def test_labels_that_are_divided_as_pixels_are(labels, loss):
    for divided, expected in (("y", []), ("y / 255.0", ["DLD116"]), ("y * (1 / 255)", ["DLD116"])):
        text = KERAS.format(labels=labels, loss=loss, x="x / 255.0", y=divided)
        assert [f.code for f in findings(text) if f.code in ("DLD116", "DLL108")] == expected, text


BINARY = """
import numpy as np
import tensorflow as tf
from keras import Input, Sequential, layers, losses

x, y = np.random.rand(100, 8), {labels}
model = Sequential([Input((8,)), layers.Dense(1, activation="sigmoid")])
model.compile("adam", loss={loss})
{fit}
"""
FITS = (
    "model.fit(x, y)",
    "model.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(10))",
    "model.fit(tf.data.Dataset.from_tensor_slices((x, y)).map(lambda a, b: (a, b)).batch(10))",
)
BELOW = ("np.random.randint(0, 2, 100) * 2 - 1", "np.where(np.random.rand(100) > 0.5, 1, -1)", "np.random.uniform(-3, 3, 100)")
WITHIN = (
    "np.random.randint(0, 2, 100)",
    "np.where(np.random.rand(100) > 0.5, 1, 0)",
    "np.random.uniform(0, 1, 100)",
    "np.load('y.npy')",
)


@pytest.mark.parametrize("loss", ["'binary_crossentropy'", "losses.BinaryCrossentropy()"])
def test_labels_of_keras_that_go_below_zero(loss):
    for fit in FITS:
        for labels, expected in (*product(BELOW, (["DLL112"],)), *product(WITHIN, ([],))):
            text = BINARY.format(labels=labels, loss=loss, fit=fit)
            assert [code for _, code in reports(text) if code == "DLL112"] == expected, text
    weighed = BINARY.format(labels=BELOW[0], loss=loss, fit="model.fit(x, y, sample_weight=(y >= 0) * 1.0)")
    assert reports(weighed) == []


NOISY = """
import torch
from torch import nn
from torch.nn import functional as F


def loss_of(scores, noise={width}):
    labels = {labels}
    return {loss}


net = nn.Linear(8, 1)
loss_of(net(torch.randn(10, 8))).backward()
"""
#: Labels around ``{0}``, drawn evenly.
EVENLY = (
    "{0} + torch.rand(scores.shape) * noise - noise / 2",
    "{0} + torch.rand(scores.shape, device=scores.device).to(scores.device) * noise - noise / 2",
    "noise * (torch.rand_like(scores) - 0.5) + {0}",
)


@pytest.mark.parametrize(
    ("centre", "width", "loss", "told"),
    [
        ("0", "0.3", "nn.BCEWithLogitsLoss()(scores, labels)", False),
        ("1", "0.3", "F.binary_cross_entropy_with_logits(scores, labels)", False),
        ("0.9", "0.6", "nn.BCEWithLogitsLoss()(scores, labels)", False),
        ("2", "0.3", "nn.BCEWithLogitsLoss()(scores, labels)", True),
        ("0", "2.0", "F.binary_cross_entropy_with_logits(scores, labels)", True),
        ("0", "0.3", "nn.BCELoss()(torch.sigmoid(scores), labels)", True),
    ],
)
@pytest.mark.parametrize("labels", EVENLY)
def test_noise_of_labels(labels: str, centre: str, width: str, loss: str, told: bool):
    text = NOISY.format(width=width, labels=labels.format(centre), loss=loss)
    assert ("DLL112" in [one.code for one in findings(text)]) is told
