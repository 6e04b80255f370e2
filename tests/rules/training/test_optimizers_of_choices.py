"""Layers that a model has of one arm of a condition or of the other are its own, and its optimizer has them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from textwrap import indent

import pytest

from tests.rules.training.variants import found

HEAD = "import sys\n\nimport torch\nfrom torch import nn\n\n\n"
FIT = """
    optimizer = torch.optim.Adam({trained}.parameters())
    for epoch in range(100):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


fit(len(sys.argv) > 1, torch.randn(4, 8), torch.randn(4, 1))
"""
PLAIN = "else:\n    hidden = nn.Linear(8, 4)\n"
LAYERS = {
    "two": "if wide:\n    hidden = nn.Linear(8, 4, bias=False)\n" + PLAIN,
    "filled": "if wide:\n    hidden = nn.Linear(8, 4)\n    nn.init.zeros_(hidden.weight)\n" + PLAIN,
    "stacks": "if wide:\n    hidden = nn.Sequential(nn.Linear(8, 9), nn.ReLU(), nn.Linear(9, 4))\n" + PLAIN,
    "chosen": "hidden = nn.Linear(8, 4, bias=False) if wide else nn.Linear(8, 4)\n",
}
MODELS = {
    "stack": "model = nn.Sequential(hidden, nn.ReLU(), nn.Linear(4, 1))\n",
    "list": "parts = nn.ModuleList([hidden, nn.Linear(4, 1)])\nmodel = nn.Sequential(*parts)\n",
    "added": "model = nn.Sequential()\nmodel.add_module('hidden', hidden)\nmodel.add_module('out', nn.Linear(4, 1))\n",
}


@pytest.mark.parametrize(("layers", "model"), list(product(LAYERS, MODELS)))
def test_layers_of_either_arm_are_trained(layers: str, model: str, tmp_path: Path):
    text = HEAD + "def fit(wide, x, y):\n" + indent(LAYERS[layers] + MODELS[model], "    ") + FIT.format(trained="model")
    assert found({"main.py": text}, tmp_path, ("DLO113",)) == [], text


@pytest.mark.parametrize("model", MODELS)
def test_layers_of_another_model_are_told(model: str, tmp_path: Path):
    other = "first = nn.Linear(8, 8)\n"
    text = HEAD + "def fit(wide, x, y):\n" + indent(other + LAYERS["two"] + MODELS[model], "    ")
    text += FIT.format(trained="model").replace("model(x)", "model(first(x))")
    assert found({"main.py": text}, tmp_path, ("DLO113",)) == ["DLO113"], text
