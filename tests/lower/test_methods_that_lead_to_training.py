"""Methods of plain classes that lead to training steps are run with the loops around the calls, as whoever calls them does."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

HEAD = """
import torch
from torch import nn


class Trainer:
    def __init__(self, loader, epochs=3):
        self.loader, self.epochs = loader, epochs
        self.model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters())

"""
STEP = """
    def {step}(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
"""
EPOCH = """
    def {epoch}(self):
        for x, y in self.loader:
            self.{step}(x, y)
        return self.{check}()
"""
CHECK = """
    def {check}(self):
        self.model.eval()
        with torch.no_grad():
            return sum(nn.functional.mse_loss(self.model(x), y).item() for x, y in self.loader)
"""
RUN = """
    def {run}(self):
        best = 1e9
        for _ in range(self.epochs):
{train}            best = min(best, self.{epoch}())
        return best
"""
NAMES = (
    {"step": "train_step", "epoch": "train_epoch", "check": "evaluate", "run": "fit"},
    {"step": "step", "epoch": "train", "check": "test", "run": "run"},
    {"step": "_a", "epoch": "_b", "check": "_c", "run": "__call__"},
)


#: A model that trains itself, by what it is written for instead.
ITSELF = (
    ("class Trainer:", "class Trainer(nn.Module):"),
    ("        self.loader", "        super().__init__()\n        self.loader"),
    ("self.model.parameters()", "self.parameters()"),
    ("self.model(x)", "self(x)"),
    ("self.model.eval()", "self.eval()"),
    ("self.model.train()", "super().train()"),
)
FORWARD = """
    def forward(self, x):
        return self.model(x)
"""


def codes(text: str, *select: str) -> list[str]:
    """What is told of a program about modes, or by some rules, in order."""
    path = Path("trainer.py")
    session = Session(Configuration(isolated=True, overrides={"select": select or ("DLO107", "DLO108")}))
    return [finding.code for finding in session.analyser(path).analyse(Document.from_text(path, text)).findings]


@pytest.mark.parametrize("names", NAMES, ids=["usual", "like others'", "private"])
@pytest.mark.parametrize("order", list(permutations((STEP, EPOCH, CHECK, RUN))), ids=range(24))
@pytest.mark.parametrize("restored", [False, True])
def test_the_loop_around_the_epochs_is_followed(names, order, restored):
    train = "            self.model.train()\n" if restored else ""
    text = HEAD + "".join(part.format(**names, train=train) for part in order)
    assert codes(text) == ([] if restored else ["DLO108"])


@pytest.mark.parametrize("names", [NAMES[0], {**NAMES[1], "epoch": "one"}], ids=["usual", "others"])
@pytest.mark.parametrize("order", list(permutations((STEP, EPOCH, CHECK, RUN))), ids=range(24))
@pytest.mark.parametrize("restored", [False, True])
def test_so_it_is_in_models_that_train_themselves(names, order, restored):
    train = "            self.model.train()\n" if restored else ""
    text = HEAD + FORWARD + "".join(part.format(**names, train=train) for part in order)
    for written, instead in ITSELF:
        text = text.replace(written, instead)
    assert codes(text) == ([] if restored else ["DLO108"])


def test_methods_that_call_each_other_come_to_an_end():
    names = NAMES[0]
    circle = "\n    def again(self):\n        self.fit()\n        self.again()\n"
    text = HEAD + "".join(part.format(**names, train="") for part in (STEP, EPOCH, CHECK, RUN)) + circle
    assert codes(text) == ["DLO108"]


SCALED = """
import torch
from torch import nn


class Trainer{bases}:
    def __init__(self, model, optimizer):
        {start}
        self.net, self.optimizer = model, optimizer

    def {name}(self, {device}, loader, epochs):
        self.net.to({device})
        if {test}:
            scaler = torch.amp.GradScaler()
        for _ in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.net(x.to({device})), y)
                if {test}:
                    scaler.scale(loss).backward()
                    scaler.step(self.optimizer)
                    {update}
                else:
                    loss.backward()
                    self.optimizer.step()
"""


@pytest.mark.parametrize("bases", [("", "pass"), ("(nn.Module)", "super().__init__()")], ids=["plain", "module"])
@pytest.mark.parametrize("device", ["device", "where"])
@pytest.mark.parametrize("test", ['{}.type == "cuda"', '{} != "cpu"', "epochs > 3"])
@pytest.mark.parametrize("update", ["scaler.update()", "pass"])
def test_what_a_training_method_is_given_is_a_tensor_only_where_it_is_used_as_one(bases, device, test, update):
    given = {
        "bases": bases[0],
        "start": bases[1],
        "name": "run",
        "device": device,
        "test": test.format(device),
        "update": update,
    }
    assert codes(SCALED.format(**given), "DLO122") == (["DLO122"] if update == "pass" else [])
