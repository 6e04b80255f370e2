"""Hovers of parameters that a library is given by attributes: what a layer holds, told where it is initialised."""

from __future__ import annotations

from itertools import product

import pytest

from tests.server.test_actions import position
from tests.server.test_lookup import hover

TEXT = """\
import torch
from torch import nn


def helper(part):
    {helped}


class Down(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.main = nn.Linear(width, 5)
        self.second = nn.Linear(5, 5)
        self.begin()

    def begin(self):
        {body}

    def forward(self, x):
        return self.second(self.main(x))


y = Down(3)(torch.ones(2, 3))
"""
CALLS = ("nn.init.xavier_uniform_({})", "torch.nn.init.normal_({}, std=0.1)", "torch.nn.init.zeros_(tensor={})")
#: Ways to a layer, its name there, and the sizes of its weights.
WAYS = (
    ("", "self.main", ("f32[5, 3]",)),
    ("for one in (self.main, self.second):\n            ", "one", ("f32[5, 3]", "f32[5, 5]")),
    (
        "for part in self.modules():\n            if isinstance(part, nn.Linear):\n                ",
        "part",
        ("f32[5, 3]", "f32[5, 5]"),
    ),
    ("first = self.main\n        ", "first", ("f32[5, 3]",)),
)


def shown(client, path, text):
    uri = client.open(path, text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    return hover(client, uri, position(text, "weight"))["contents"]["value"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("call", "way"), list(product(CALLS, WAYS)))
def test_what_is_initialised_has_its_shape(client, tmp_path, call, way):
    before, name, sizes = way
    text = TEXT.format(helped="pass", body=before + call.format(f"{name}.weight"))
    found = shown(client, tmp_path / "down.py", text)
    assert all(f".weight: {size}" in found for size in sizes)


@pytest.mark.parametrize("call", CALLS[::2])
def test_a_helper_initialises(client, tmp_path, call):
    text = TEXT.format(helped=call.format("part.weight"), body="helper(self.main)")
    assert "part.weight: f32[5, 3]" in shown(client, tmp_path / "down.py", text)
