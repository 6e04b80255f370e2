"""What decides by a measure, and takes it the wrong way round."""

from __future__ import annotations

import pytest

from dllint.diagnose.symptoms.decisions import direction

TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
net = nn.Linear(6, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
{schedule}
for epoch in range(6):
    for rows in torch.randperm(300).split(30):
        optimizer.zero_grad()
        F.cross_entropy(net(x[rows]), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        {name} = {measure}
    scheduler.step({given})
"""
RIGHT = "(net(x[300:]).argmax(1) == y[300:]).float().mean()"
LOSS = "F.cross_entropy(net(x[300:]), y[300:])"
KERAS = """
import keras
import numpy as np

x = np.random.default_rng(0).normal(size=(200, 6)).astype("float32")
y = (x[:, 0] > 0).astype("float32")
net = keras.Sequential([keras.Input((6,)), keras.layers.Dense(1, activation="sigmoid")])
net.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
class Score(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        logs["valid_f1"] = 0.5 + 0.01 * epoch
way = "min"
watch = keras.callbacks.{kind}
net.fit(x, y, epochs=5, validation_split=0.2, verbose=0, callbacks=[Score(), watch])
"""
LIGHTNING = """
from dllint.dev.libraries.torchvision_import import import_torchvision
import_torchvision()
import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import EarlyStopping
from torch.utils.data import DataLoader, TensorDataset

class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def training_step(self, batch, number):
        return F.mse_loss(self.layer(batch[0]), batch[1])
    def validation_step(self, batch, number):
        self.log("val_mse", F.mse_loss(self.layer(batch[0]), batch[1]))
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.05)

L.seed_everything(0)
x = torch.randn(80, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), 20)
quiet = dict(accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False)
stop = EarlyStopping(monitor="val_mse", mode=MODE, patience=9)
L.Trainer(max_epochs=5, enable_checkpointing=False, callbacks=[stop], **quiet).fit(Net(), loader, loader)
"""


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "measure taken the wrong way"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("name", "measure", "given", "schedule", "fix"),
    [
        ("val_acc", RIGHT, "val_acc", "scheduler = ReduceLROnPlateau(optimizer, mode='min')", '"max"'),
        (
            "score",
            RIGHT + ".item(); accuracies = [score]",
            "accuracies[-1]",
            "scheduler = ReduceLROnPlateau(optimizer)",
            '"max"',
        ),
        ("seen", "{{'val_loss': " + LOSS + "}}", "seen['val_loss']", "scheduler = ReduceLROnPlateau(optimizer, 'max')", None),
        ("loss", LOSS, "loss.item()", "way = 'max'\nscheduler = ReduceLROnPlateau(optimizer, mode=way)", '"min"'),
    ],
)
def test_plateaus_of_a_measure_that_is_taken_the_wrong_way_are_told_where_they_are_built(
    diagnose, name, measure, given, schedule, fix
):
    text = TORCH.replace("{{", "{").replace("}}", "}")
    for key, value in {
        "schedule": schedule,
        "name": name,
        "measure": measure.replace("{{", "{").replace("}}", "}"),
        "given": given,
    }.items():
        text = text.replace(f"{{{key}}}", value)
    (finding,) = told(diagnose(text))
    assert "ReduceLROnPlateau(" in text.splitlines()[finding["location"]["row"] - 1]
    if fix is not None:
        assert fix in finding["fixes"][0]["edits"][0]["content"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("name", "measure", "given", "mode"),
    [("val_acc", RIGHT, "val_acc", "max"), ("val_loss", LOSS, "val_loss", "min"), ("reached", RIGHT, "1 - reached", "min")],
)
def test_measures_that_are_taken_the_right_way_and_unknown_ones_are_silent(diagnose, name, measure, given, mode):
    text = TORCH.format(
        schedule=f"scheduler = ReduceLROnPlateau(optimizer, mode='{mode}')", name=name, measure=measure, given=given
    )
    assert not told(diagnose(text))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("ReduceLROnPlateau(monitor='valid_f1', mode=way)", 1),
        ("EarlyStopping(monitor='val_loss', mode='max', patience=9)", 1),
        ("EarlyStopping(monitor='val_accuracy', patience=9)", 0),
    ],
)
def test_callbacks_of_keras(diagnose, kind, count):
    assert len(told(diagnose(KERAS.format(kind=kind)))) == count


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("mode", "count"), [("max", 1), ("min", 0)])
def test_callbacks_of_lightning(diagnose, mode, count):
    assert len(told(diagnose(LIGHTNING.replace("MODE", repr(mode))))) == count


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("val_loss", "min"),
        ("validAccuracy", "max"),
        ("macro F1", "max"),
        ("val/mIoU", "max"),
        ("valid.rmse", "min"),
        ("neg_loss", None),
        ("reward", None),
        ("accuracy_loss", None),
        ("lossless", None),
    ],
)
def test_names_of_measures_that_say_which_way_is_better(measure, wanted):
    assert direction(measure) == wanted
