"""Functions that make models: a call for each epoch, or for the evaluation, gives a model that has learned nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import torch
from torch import nn


def made(width):
    network = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 1))
    return network, torch.optim.Adam(network.parameters())


def learn(network, optimizer, data):
    for x in data:
        optimizer.zero_grad()
        network(x).square().mean().backward()
        optimizer.step()
"""
SETUP = "data = torch.utils.data.DataLoader(torch.randn(64, 8), 4)"
FAULTY = (
    "for epoch in range(10):\n    model, optimizer = made(16)\n    learn(model, optimizer, data)",
    "for epoch in range(10):\n    (model, optimizer) = made(16)\n    learn(network=model, optimizer=optimizer, data=data)",
    "for epoch in range(10):\n    [model, optimizer] = made(16)\n    learn(model, optimizer, data)\n    print(epoch)",
)
SOUND = (
    "model, optimizer = made(16)\nfor epoch in range(10):\n    learn(model, optimizer, data)",
    "a = []\nfor epoch in range(10):\n    model, optimizer = made(16)\n    learn(model, optimizer, data)\n    a += [model]",
    "a = {}\nfor epoch in range(10):\n    model, _ = made(16)\n    learn(model, _, data)\n    a[epoch] = model, 'done'",
    "for seed in range(10):\n    model, optimizer = made(16)\n    learn(model, optimizer, data)",
)
REPORTED = """import keras
import numpy as np

def made(width):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(width), keras.layers.Dense(3)])
    model.compile("adam", "mse")
    return model

def train(width):
    model = made(width)
    model.fit(np.zeros((640, 2)), np.zeros((640, 3)), epochs=5)
    return model

def report(model):
    print(model.predict(np.zeros((64, 2))))

train(16)
report({reported})
"""


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", FAULTY)
def test_models_made_for_each_epoch(body: str, form: str, tmp_path: Path) -> None:
    assert "DLI107" in found(FORMS[form](Case("DLI107", IMPORTS, SETUP, body, ("data",))), tmp_path, ["DLI107"])


@pytest.mark.parametrize("body", SOUND)
def test_models_made_once_or_kept(body: str, tmp_path: Path) -> None:
    assert not found(FORMS["plain"](Case("DLI107", IMPORTS, SETUP, body, ("data",))), tmp_path, ["DLI107"])


@pytest.mark.parametrize(("reported", "line"), [("made(16)", 18), ("train(16)", None)])
def test_the_call_is_shown_that_makes_the_model(reported: str, line: int | None, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(REPORTED.format(reported=reported))
    session = Session(Configuration(isolated=True, overrides={"select": ("DLI107",)}))
    lines = [finding.location.span.first.line for finding in session.check_file(tmp_path / "main.py").findings]
    assert lines == ([] if line is None else [line])
