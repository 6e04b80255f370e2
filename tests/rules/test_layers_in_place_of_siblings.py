"""DLS103 whatever the layers are called and however the two calls are written; silent where the two calls are meant."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

_TWICE = {
    "one line": "a, b = self.{used}(h), self.{used}(h)",
    "two lines": "a = self.{used}(h)\n        b = self.{used}(h)",
    "in a helper": "a, b = self.halves(self.{used}(h)), self.halves(self.{used}(h))",
    "with keyword": "a = self.{used}(input=h)\n        b = self.{used}(h)",
    "then transformed": "a = self.{used}(h)\n        b = torch.exp(self.{used}(h).clamp(-4, 4)).contiguous()",
    "under a name": "g = h\n        a = self.{used}(g)\n        b = self.{used}(h)",
    "one of them in a branch": "a = b = self.{used}(h)\n        if self.training:\n            b = self.{used}(h)",
}
_NAMES = [("mu", "sigma"), ("k", "v"), ("norm_in", "norm_out"), ("mean_layer", "variance"), ("head1", "head2")]
_PARTS = {
    "Linear": "nn.Linear(8, 8)",
    "LayerNorm": "nn.LayerNorm(8)",
    "a container": "nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))",
    "of an argument": "nn.Linear(width, width)",
}
_PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.{used} = {part}
        self.{idle} = {other}

    def halves(self, t):
        return t.view(2, 2, 4).transpose(0, 1)

    def forward(self, x, other=None):
        h = torch.relu(self.first(x))
        {body}
        return a, b


net = Net()
net(torch.randn(2, 8))
"""


def _errors(body: str, used: str = "mu", idle: str = "sigma", part: str = _PARTS["Linear"], other: str = "", tail: str = ""):
    text = _PROGRAM.format(used=used, idle=idle, part=part, other=other or part, body=body.format(used=used)) + tail
    return [f"{f.severity.value}: {f.message}" for f in findings(text) if f.code == "DLS103"]


@pytest.mark.parametrize("form", _TWICE)
def test_twice_to_the_same_tensor(form: str) -> None:
    for used, idle in _NAMES:
        (message,) = _errors(_TWICE[form], used, idle)
        assert message.startswith(f"error: `self.{used}` is applied ")
        assert f"`self.{idle}`" in message


@pytest.mark.parametrize("part", _PARTS)
def test_parts_of_every_kind(part: str) -> None:
    (message,) = _errors(_TWICE["one line"], part=_PARTS[part])
    assert "twice to the same tensor in `Net.forward`" in message


def test_different_tensors_are_a_warning() -> None:
    body = "a = self.{used}(h)\n        b = self.{used}(torch.relu(a))"
    assert [m.partition(":")[0] for m in _errors(body, "norm_in", "norm_out", _PARTS["LayerNorm"])] == ["warning"]


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        ("a = self.{used}(h) if self.training else self.{used}(h)\n        b = a", {}),  # only one of the calls runs
        ("a = b = self.{used}(h)", {}),
        ("a = b = h\n        for _ in range(3):\n            a = self.{used}(a)", {}),
        ("a, b = self.{used}(h), self.{used}(h)", {"other": "nn.Linear(8, 3)"}),  # not built alike
        ("a, b = self.{used}(h), self.{used}(h)", {"other": "nn.LayerNorm(8)"}),
        ("a, b = self.{used}(h), self.{used}(h)", {"tail": "print(net.sigma(torch.zeros(1, 8)))"}),  # used from outside
        (
            "a, b = self.{used}(h), self.{used}(h)",
            {"tail": "class Deep(Net):\n    def more(self, x):\n        return self.sigma(x)\n"},
        ),
        ("a, b = self.{used}(h), self.{used}(h)", {"tail": "def late(self, x):\n    return self.sigma(x)\nNet.late = late\n"}),
        ("a, b = self.{used}(h), getattr(self, 'sig' + 'ma')(h)", {}),
    ],
)
def test_calls_that_are_meant(body: str, changes: dict[str, str]) -> None:
    assert _errors(body, **changes) == []


def test_short_names_are_no_part_of_longer_ones() -> None:
    """`.v` is not mentioned by `.view`, nor by the `self.v` of another class."""
    other = "class Other(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.v = nn.Linear(8, 8)\n\n"
    other += "    def forward(self, x):\n        return self.v(x.view(-1, 8))\n"
    assert len(_errors(_TWICE["in a helper"], "k", "v", tail=other)) == 1
