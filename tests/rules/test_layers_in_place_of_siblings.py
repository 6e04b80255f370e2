"""DLS103 whatever the layers are called and however the two calls are written; silent where the two calls are meant."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings, reports

_TWICE = {
    "one line": "a, b = self.{used}(h), self.{used}(h)",
    "two lines": "a = self.{used}(h)\n        b = self.{used}(h)",
    "in a helper": "a, b = self.halves(self.{used}(h)), self.halves(self.{used}(h))",
    "with keyword": "a = self.{used}(input=h)\n        b = self.{used}(h)",
    "then transformed": "a = self.{used}(h)\n        b = torch.exp(self.{used}(h).clamp(-4, 4)).contiguous()",
    "under a name": "g = h\n        a = self.{used}(g)\n        b = self.{used}(h)",
    "one of them in a branch": "a = b = self.{used}(h)\n        if self.training:\n            b = self.{used}(h)",
}
#: The layer reaches its calls through something else than ``self.name(...)``.
_HANDED_ON = {
    "helper method": "a = self.go(self.{used}, h)\n        b = self.go(self.{used}, h)",
    "helper method, other order": "a = self.back(h, part=self.{used})\n        b = self.back(h, part=self.{used})",
    "helper function": "a, b = apply(self.{used}, h), apply(self.{used}, h)",
    "helper of helpers": "a, b = deep(self.{used}, h), deep(self.{used}, h)",
    "two helpers": "a, b = apply(self.{used}, h), self.go(self.{used}, h)",
    "method of another class": "a, b = Caller().run(self.{used}, h), Caller().run(self.{used}, h)",
    "one directly": "a, b = self.{used}(h), apply(self.{used}, h)",
    "lambda": "a, b = (lambda f: f(h))(self.{used}), (lambda f: f(h))(self.{used})",
    "names": "f = self.{used}\n        g = self.{used}\n        a, b = f(h), g(h)",
    "loop over a list": "out = []\n        for f in [self.{used}, self.{used}]:\n            out += [f(h)]\n        a = b = h",
    "list comprehension": "a, b = [part(h) for part in (self.{used}, self.{used})]",
    "dictionary": "out = {{k: f(h) for k, f in {{1: self.{used}, 2: self.{used}}}.items()}}\n        a = b = out",
    "list by index": "parts = [self.{used}, self.{used}]\n        a, b = parts[0](h), parts[1](h)",
    "getattr": "a, b = getattr(self, '{used}')(h), getattr(self, '{used}')(h)",
    "keyword in a helper": "a, b = apply(t=h, f=self.{used}), apply(f=self.{used}, t=h)",
}
_NAMES = [("mu", "sigma"), ("k", "v"), ("norm_in", "norm_out"), ("mean_layer", "variance"), ("head1", "head2")]
_PARTS = {
    "Linear": "nn.Linear(8, 8)",
    "LayerNorm": "nn.LayerNorm(8)",
    "a container": "nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))",
    "of an argument": "nn.Linear(width, width)",
    "an own class": "Own()",
    "an own class with a setting": "Own(scale=3.0)",
}
_PROGRAM = """
import torch
import unknown
from torch import nn


def apply(f, t):
    return f(t)


def deep(f, t):
    return apply(f, torch.relu(t)) if t is None else apply(f, t)


class Caller:
    def run(self, f, t):
        return f(t)


class Own(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.inner = nn.Linear(8, 8)
        self.scale = scale

    def forward(self, input):
        return self.inner(input) + self.scale * self.inner(torch.relu(input))


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.{used} = {part}
        self.{idle} = {other}

    def go(self, f, t):
        return f(t)

    def back(self, t, part):
        return part(t)

    def both(self, t):
        return self.{used}(t)

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


@pytest.mark.parametrize("form", _HANDED_ON)
def test_twice_to_the_same_tensor_through_something_else(form: str) -> None:
    for (used, idle), part in zip(_NAMES, _PARTS.values(), strict=False):
        (message,) = _errors(_HANDED_ON[form], used, idle, part)
        assert message.startswith(f"error: `self.{used}` is applied twice to the same tensor in `Net.forward`")
        assert f"`self.{idle}`" in message


@pytest.mark.parametrize("part", _PARTS)
def test_parts_of_every_kind(part: str) -> None:
    (message,) = _errors(_TWICE["one line"], part=_PARTS[part])
    assert "twice to the same tensor in `Net.forward`" in message


@pytest.mark.parametrize(
    "body",
    [
        "a = self.{used}(h)\n        b = self.{used}(torch.relu(a))",
        "a = self.go(self.{used}, h)\n        b = self.go(self.{used}, torch.relu(a))",
        "a, b = self.{used}(unknown.first(x)), self.{used}(unknown.second(x))",  # the tensors may be one, or not
        "a, b = apply(self.{used}, unknown.first(x)), apply(self.{used}, unknown.second(x))",
    ],
)
def test_different_tensors_are_a_warning(body: str) -> None:
    assert [m.partition(":")[0] for m in _errors(body, "norm_in", "norm_out", _PARTS["LayerNorm"])] == ["warning"]


def test_random_numbers_make_a_second_result() -> None:
    part = "nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5))"
    for body in (_TWICE["one line"], _HANDED_ON["helper method"]):
        assert [m.partition(":")[0] for m in _errors(body, part=part)] == ["warning"]


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
        ("a, b = apply(self.{used}, h), apply(getattr(self, 'sigma'), h)", {}),
        ("a, b = apply(self.{used}, h), h", {}),
        ("a, b = self.both(h), self.both(torch.relu(h))", {}),  # one place applies it, which is shared
        ("a, b = [self.go(self.{used}, t) for t in (h, torch.relu(h))]", {}),
        ("a, b = [self.{used}(t) for t in (h, h)]", {}),
        ("a, b = [part(t) for part, t in zip([self.{used}, self.{used}], (h, torch.relu(h)))]", {}),
        ("a = b = h\n        for _ in range(3):\n            a = self.go(self.{used}, a)", {}),
        ("a = b = apply(self.{used}, h) if self.training else apply(self.{used}, h)", {}),
        ("a, b = apply(self.{used}, h), apply(self.{used}, h)", {"part": "Own(2.0)", "other": "Own(3.0)"}),
        ("a, b = apply(self.{used}, h), apply(self.{used}, h)", {"tail": "print(net.sigma(torch.zeros(1, 8)))"}),
        (
            "a = b = apply(self.{used}, h)",
            {"tail": "one, two = torch.randn(2, 8), torch.randn(2, 8)\nnet(one), net(two), net(two)\n"},
        ),
        (
            "a = b = apply(self.{used}, h)",
            {"tail": "tower = lambda t: apply(net, t)\ntower(torch.ones(2, 8)), tower(torch.zeros(2, 8))\n"},
        ),
    ],
)
def test_calls_that_are_meant(body: str, changes: dict[str, str]) -> None:
    assert _errors(body, **changes) == []


def test_short_names_are_no_part_of_longer_ones() -> None:
    """`.v` is not mentioned by `.view`, nor by the `self.v` of another class."""
    other = "class Other(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.v = nn.Linear(8, 8)\n\n"
    other += "    def forward(self, x):\n        return self.v(x.view(-1, 8))\n"
    assert len(_errors(_TWICE["in a helper"], "k", "v", tail=other)) == 1


@pytest.mark.parametrize(("used", "expected"), [("norm2", 0), ("norm1", 1)])
@pytest.mark.parametrize("numbers", [("1", "2"), ("2", "10"), ("_1", "_2")])
def test_the_place_is_that_of_the_missing_number(used: str, expected: int, numbers: tuple[str, str]) -> None:
    first, last = (f"norm{number}" for number in numbers)
    name = last if used == "norm2" else first
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.{first}, self.{last} = nn.LayerNorm(8), nn.LayerNorm(8)\n\n    def forward(self, x):\n"
        f"        x = torch.relu(self.{name}(x))\n        return self.{name}(x)\n\n\ny = Net()(torch.randn(2, 8))\n"
    )
    assert [line for line, code in reports(text) if code == "DLS103"] == [11 + expected]
