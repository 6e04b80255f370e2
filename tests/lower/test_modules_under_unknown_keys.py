"""What is taken from a list or dict with an index or key that is not known: what all of its elements agree in."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import ops, values
from tests.rules.harness import findings

HEAD = "import torch, torch.nn as nn\nfrom elsewhere import {0}, names\nx = torch.zeros(4, 8)\n"
HELD = {
    "list": "held = [nn.Linear({0}, 3), nn.Linear({1}, 3)]\n",
    "tuple": "held = (nn.Linear({0}, 3), nn.Linear({1}, 3))\n",
    "dict": "held = dict(a=nn.Linear({0}, 3), b=nn.Linear({1}, 3))\n",
    "modules": "held = nn.ModuleList([nn.Linear({0}, 3), nn.Linear({1}, 3)])\n",
    "named": "held = nn.ModuleDict(dict(a=nn.Linear({0}, 3), b=nn.Linear({1}, 3)))\n",
    "class": """
class Held(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict([("a", nn.Linear({0}, 3)), ("b", nn.Linear({1}, 3))])

    def __getitem__(self, key):
        return self.parts[key]
held = Held()
""",
}
OPEN = {
    "comprehension": "held = nn.ModuleDict({k: nn.Linear(8, 2) for k in names})\n",
    "loop": "held = nn.ModuleDict()\nfor k in names:\n    held[k] = nn.Linear(8, 2)\n",
    "added": "held = nn.ModuleDict()\nfor k in names:\n    held.add_module(k, nn.Linear(8, 2))\n",
    "updated": "held = nn.ModuleDict()\nheld.update({k: nn.Linear(8, 2) for k in names})\n",
    "helper": "def heads(keys, n):\n    return nn.ModuleDict({k: nn.Linear(8, n) for k in keys})\nheld = heads(names, 2)\n",
}
TAKEN = {
    "known": ("out = held['task'](x)\n", "(4, 2)"),
    "unknown": ("out = held[key](x)\n", "(4, 2)"),
    "all": ("out = torch.stack([part(x) for part in held.values()])\n", "(length, 4, 2)"),
    "items": ("found = dict()\nfor k, part in held.items():\n    found[k] = part(x)\nout = found['task']\n", "(4, 2)"),
}


@pytest.mark.parametrize(("held", "key"), list(product(HELD, ["key", "index"])))
def test_what_elements_agree_in(held, key):
    program = HEAD.format(key) + HELD[held].format(8, 8) + f"out = held[{key}](x)\n"
    assert str(values(program)["out"].shape) == "(4, 3)"


@pytest.mark.parametrize(("held", "sizes"), list(product(HELD, [(8, 9), (9, 8)])))
def test_one_that_fits_is_enough(held, sizes):
    program = HEAD.format("key") + HELD[held].format(*sizes) + "out = held[key](x)\n"
    assert not [found for found in findings(program) if found.code.startswith("DLT")]


@pytest.mark.parametrize(("held", "taken"), list(product(OPEN, TAKEN)))
def test_elements_under_unknown_names(held, taken):
    code, shape = TAKEN[taken]
    assert str(values(HEAD.format("key") + OPEN[held] + code)["out"].shape) == shape


@pytest.mark.parametrize("held", OPEN)
def test_other_elements_may_be_under_other_names(held):
    program = HEAD.format("key") + OPEN[held] + "held['own'] = nn.Linear(5, 2)\nout = held[key](x)\nown = held['own'](x)\n"
    *_, last = ops(program, "linear")
    assert last.faults


@pytest.mark.parametrize("key", ["torch.float32", "int", "nn.ReLU"])
def test_names_of_libraries_are_keys(key):
    program = HEAD.format("given") + f"held = {{{key}: 3, torch.int64: 4}}\nout = held[{key}]\n"
    assert values(program)["out"] == 3
