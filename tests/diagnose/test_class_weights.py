"""Weights of classes that follow how frequent they are: told, with the reciprocals as repair where the weights are made."""

from __future__ import annotations

import pytest

TORCH = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 6)
y = (x[:, 0] + 2 * torch.randn(600) > 3).long()
counts = torch.bincount(y, minlength=2).float()


def shares(given):
    return {made}


class Task:
    def __init__(self):
        self.net = nn.Linear(6, {outputs})
        self.balance = {balance}
        self.criterion = {criterion}

    def loss(self, rows):
        return {loss}


task = Task()
optimizer = torch.optim.SGD(task.net.parameters(), lr=0.05)
for epoch in range(6):
    for rows in torch.randperm(600).split(30):
        optimizer.zero_grad()
        task.loss(rows).backward()
        optimizer.step()
"""
OF_MODULE = ("nn.CrossEntropyLoss(weight=shares(y))", "self.criterion(self.net(x[rows]), y[rows])")
OF_FUNCTION = ("None", "F.cross_entropy(self.net(x[rows]), y[rows], weight=shares(y))")
OF_YES = (
    "nn.BCEWithLogitsLoss(pos_weight=shares(y))",
    "self.criterion(self.net(x[rows])[:, 0], y[rows].float())",
)
FREQUENT = ("counts / counts.sum()", "torch.tensor([(y == 0).float().mean(), (y == 1).float().mean()])")
RARE = ("counts.sum() / counts", "1 - counts / counts.sum()", "torch.ones(2)", "torch.tensor([1.0, 0.8])")
KERAS = """
import keras
import numpy as np

keras.utils.set_random_seed(0)
draw = np.random.default_rng(0)
x = draw.normal(size=(600, 6)).astype("float32")
y = (x[:, 0] + 2 * draw.normal(size=600) > 3).astype("{kind}")
weights = {weights}
net = keras.Sequential([keras.Input((6,)), keras.layers.Dense({outputs})])
net.compile("sgd", keras.losses.{loss}(from_logits=True))
net.fit(x, y, batch_size=30, epochs=6, verbose=0, class_weight=weights)
"""


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "weights of frequent classes"]


def written(loss, made, outputs=2, balance="None"):
    return TORCH.format(criterion=loss[0], loss=loss[1], made=made, outputs=outputs, balance=balance)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("made", FREQUENT)
@pytest.mark.parametrize("loss", [OF_MODULE, OF_FUNCTION])
def test_weights_that_follow_the_frequency_are_told(diagnose, loss, made):
    text = written(loss, made)
    (finding,) = told(diagnose(text))
    assert "shares" in text.splitlines()[finding["location"]["row"] - 1] or "criterion(" in text
    (edit,) = finding["fixes"][0]["edits"]
    assert edit["content"].startswith("1 / ")
    assert text.splitlines()[edit["location"]["row"] - 1].strip() == f"return {made}"


def test_weights_that_are_also_used_elsewhere_are_repaired_where_the_loss_takes_them(diagnose):
    text = written(OF_MODULE, FREQUENT[0], balance="shares(y)")
    (finding,) = told(diagnose(text))
    (edit,) = finding["fixes"][0]["edits"]
    assert edit["content"] == "1 / shares(y)"
    assert "self.criterion = " in text.splitlines()[edit["location"]["row"] - 1]


@pytest.mark.parametrize(
    "loss",
    [
        "(((1 - torch.sigmoid(self.net(x[rows])[:, 1])) ** 2).detach() * F.cross_entropy({}, reduction='none')).mean()",
        "F.cross_entropy({}, reduction='none').mean()",
    ],
)
def test_losses_that_are_weighed_further_are_silent(diagnose, loss):
    given = "self.net(x[rows]), y[rows], weight=shares(y)"
    assert not told(diagnose(written(("None", loss.format(given)), FREQUENT[0])))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("made", RARE)
@pytest.mark.parametrize("loss", [OF_MODULE, OF_FUNCTION])
def test_other_weights_are_silent(diagnose, loss, made):
    assert not told(diagnose(written(loss, made)))


@pytest.mark.sampled(every=1)
@pytest.mark.parametrize(("made", "count"), [("counts[1] / counts[0]", 1), ("counts[0] / counts[1]", 0)])
def test_the_weight_of_yes(diagnose, made, count):
    assert len(told(diagnose(written(OF_YES, made, outputs=1)))) == count


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("loss", "outputs", "kind"), [("BinaryCrossentropy", 1, "float32"), ("SparseCategoricalCrossentropy", 2, "int32")]
)
@pytest.mark.parametrize(
    ("weights", "count"),
    [
        ("{0: (y == 0).mean(), 1: (y == 1).mean()}", 1),
        ("dict(enumerate(np.bincount(y.astype(int)) / len(y)))", 1),
        ("{0: 1.0, 1: 9.0}", 0),
        ("{0: 1.0, 1: 1.0}", 0),
    ],
)
def test_weights_of_fit(diagnose, loss, outputs, kind, weights, count):
    text = KERAS.format(loss=loss, outputs=outputs, kind=kind, weights=weights)
    found = told(diagnose(text))
    assert len(found) == count
    for finding in found:
        (edit,) = finding["fixes"][0]["edits"]
        assert edit["content"].endswith(".items()}")
