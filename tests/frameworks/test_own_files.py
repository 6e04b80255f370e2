"""Models that a program saves and loads again: the same model, and nothing else is known of other files."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import values

TORCH = "import torch\nimport torch.nn as nn\nfrom pathlib import Path\nnet = nn.Sequential(nn.Linear(3, 7))\n"
KERAS = """
import keras
from pathlib import Path
net = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(7)])
"""
PATHS = {"text": "'m.keras'", "name": "name", "path": "Path('m.keras')"}
WAYS = {
    "module": (TORCH, "torch.save(net, {})\n", "got = torch.load({}, weights_only=False)\n", "torch.zeros(2, 3)"),
    "entry": (TORCH, "torch.save(dict(net=net, n=3), {})\n", "got = torch.load({})['net']\n", "torch.zeros(2, 3)"),
    "model": (KERAS, "net.save({})\n", "got = keras.models.load_model({})\n", "keras.ops.zeros((2, 3))"),
    "function": (KERAS, "keras.models.save_model(net, {})\n", "got = keras.saving.load_model({})\n", "keras.ops.zeros((2, 3))"),
}
AROUND = {
    "in a row": "{save}{load}",
    "in functions": "def put(net):\n    {save}def take():\n    {load}    return got\nput(net)\ngot = take()\n",
    "if it is best": "for epoch in range(3):\n    if measured(epoch) > 1:\n        {save}{load}",
}


@pytest.mark.parametrize(("way", "around", "path"), list(product(WAYS, AROUND, PATHS)))
def test_what_is_loaded_is_what_was_saved(way, around, path):
    begin, save, load, x = WAYS[way]
    middle = AROUND[around].format(save=save.format(PATHS[path]), load=load.format(PATHS[path]))
    found = values(f"from other import measured\nname = 'm.keras'\n{begin}{middle}out = got({x})\n")
    assert str(found["out"].shape) == "(2, 7)"


@pytest.mark.parametrize("way", WAYS)
def test_other_files_are_not_known(way):
    begin, save, load, x = WAYS[way]
    found = values(begin + save.format("'a.keras'") + load.format("'b.keras'") + f"out = got({x})\n")
    assert not hasattr(found["out"], "shape")


@pytest.mark.parametrize("way", ["module", "entry"])
def test_a_model_that_is_changed_after_it_was_saved(way):
    begin, save, load, x = WAYS[way]
    change = "net.append(nn.Linear(7, 9))\n"
    program = begin + save.format("'m.pt'") + "{}" + load.format("'m.pt'") + f"out = got({x})\n"
    assert str(values(program.format(change))["out"].shape) == "(2, 7)"
    again = change + save.format("'m.pt'")
    assert str(values(program.format(again))["out"].shape) == "(2, 9)"


def test_numbers_beside_a_model_may_be_those_of_an_earlier_run():
    found = values(TORCH + "torch.save({'net': net, 'epoch': 3}, 'm.pt')\nout = torch.load('m.pt')['epoch']\n")
    assert found["out"] != 3
