"""Weights that are loaded and lost are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import torch
import torchvision
from torch import nn


def draw(layer):
    if isinstance(layer, (nn.Linear, nn.Conv2d)):
        nn.init.xavier_uniform_(layer.weight)


def draw_in_place(layer):
    if layer.__class__.__name__.find("Linear") != -1:
        layer.weight.data.normal_(0.0, 0.02)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x).relu())

    def begin(self):
        for part in self.modules():
            if isinstance(part, nn.Linear):
                nn.init.normal_(part.weight, std=0.02)


class Whole(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
"""
LOAD = "model.load_state_dict(torch.load('weights.pt'))\n"
SWEEPS = (
    "model.apply(draw)",
    "model.apply(draw_in_place)",
    "model.begin()",
    "for part in model.children():\n    part.reset_parameters()",
    "for value in model.parameters():\n    nn.init.normal_(value)",
    "whole = Whole(model)\nwhole.apply(draw)",
)
USE = "\nprint(model(torch.randn(4, 8)))"
#: What is no loss of weights: the sweep comes first, is of a part, is one of several trials, or is followed by another load.
SOUND = (
    "{sweep}\n{load}",
    "{load}print(model(torch.randn(4, 8)))\n{sweep}",
    "{load}torch.save(model.state_dict(), 'copy.pt')\n{sweep}",
    "{load}{sweep}\n{load}",
    "{load}for trial in range(3):\n    model.apply(draw)\n    print(model(torch.randn(4, 8)))",
    "model.load_state_dict(torch.load('weights.pt'), strict=False)\n{sweep}",
    "{load}model.head.apply(draw)",
    "{load}nn.init.zeros_(model.head.weight)",
    "{load}other = Net()\nother.apply(draw)",
    "other = Net()\nmodel.load_state_dict(other.state_dict())\n{sweep}",
    "other = Net()\nstate = other.state_dict()\nmodel.load_state_dict(state)\nwith torch.no_grad():\n    {sweep}".replace(
        "{sweep}", "for value in model.parameters():\n        value.zero_()"
    ),
)


def told(body: str, form: str, folder: Path) -> bool:
    folder.mkdir()
    return "DLI103" in found(FORMS[form](Case("DLI103", IMPORTS, "model = Net()", body, ("model",))), folder, ["DLI103"])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("sweep", "form"), list(product(SWEEPS, FORMS)))
def test_every_form_is_found_and_its_twin_is_not(sweep: str, form: str, tmp_path: Path) -> None:
    assert told(LOAD + sweep + USE, form, tmp_path / "a")
    assert not told(f"{sweep}\n{LOAD}{USE}", form, tmp_path / "b")


@pytest.mark.parametrize("body", SOUND)
def test_weights_that_are_not_lost(body: str, tmp_path: Path) -> None:
    for number, sweep in enumerate(SWEEPS):
        assert not told(body.format(load=LOAD, sweep=sweep) + USE, "plain", tmp_path / str(number))


@pytest.mark.parametrize(
    "given", ["pretrained=True", "weights='DEFAULT'", "weights=torchvision.models.ResNet18_Weights.DEFAULT"]
)
def test_models_that_come_with_weights(given: str, tmp_path: Path) -> None:
    body = f"model = torchvision.models.resnet18({given})\nmodel.apply(draw)\nprint(model(torch.randn(1, 3, 64, 64)))"
    assert told(body, "plain", tmp_path / "a")
    assert not told(body.replace(given, "weights=None"), "plain", tmp_path / "b")


TAGGER = """import torch
from torch import nn
from transformers import AutoModel, BertModel


class Tagger(nn.Module):
    def __init__(self, name="bert-base-cased"):
        super().__init__()
        self.encoder = {model}.from_pretrained(name)
        self.head = nn.Linear(768, 3)
        {sweep}

    def begin(self, layer):
        {test}
            nn.init.normal_(layer.weight, std=0.02)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

    def forward(self, ids):
        return self.head(self.encoder(ids).last_hidden_state)


model = Tagger()
print(model(torch.zeros(2, 7, dtype=torch.long)))
"""
LINEAR = "if isinstance(layer, nn.Linear):"


@pytest.mark.parametrize("model", ["AutoModel", "BertModel"])
@pytest.mark.parametrize(
    ("sweep", "test", "told"),
    [
        ("self.apply(self.begin)", LINEAR, True),
        ("self.apply(self.begin)", "if isinstance(layer, (nn.Linear, nn.Embedding)):", True),
        ("self.head.apply(self.begin)", LINEAR, False),
        ("self.begin(self.head)", LINEAR, False),
        ("self.apply(self.begin)", "if layer is self.head:", False),
        ("self.apply(self.begin)", "if isinstance(layer, nn.Conv2d):", False),
        ("self.apply(self.begin)", "if isinstance(layer, nn.Embedding) or isinstance(layer, nn.Linear):", True),
        ("self.apply(self.begin)", "if isinstance(layer, nn.Linear) and not getattr(layer, 'done', False):", False),
        ("self.apply(self.begin)", "if isinstance(layer, nn.Linear) and layer.out_features < 100:", False),
        ("self.apply(self.begin)", "if isinstance(layer, nn.Linear) and layer.fresh is not None:", False),
    ],
)
def test_transformers_whose_linear_layers_are_drawn_anew(sweep: str, test: str, told: bool, model: str, tmp_path: Path) -> None:
    text = TAGGER.format(model=model, sweep=sweep, test=test)
    assert ("DLI103" in found({"main.py": text}, tmp_path, ["DLI103"])) is told
