"""``m.forward(x)`` is a warning where a hook may be on ``m``, and information where all hooks are on other modules."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from dllint.finding import Severity
from tests.rules.harness import findings

REGISTERED = {
    "body[0]": (
        "self.body[0].{register}(self.note)",
        "layer = self.body[0]\n        layer.{register}(self.note)",
        "for layer in self.body:\n            layer.{register}(self.note)",
        "[layer.{register}(self.note) for layer in self.body]",
    ),
    "body": ("self.body.{register}(self.note)", "body = self.body\n        body.{register}(self.note)"),
    "any": ("for part in self.modules():\n            part.{register}(self.note)", "watch(self, self.note)"),
}
METHODS = ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook")
CALLED = {
    "self.head.forward(x[:, :4])": {"any"},
    "self.body.forward(x)": {"any", "body"},
    "self.body[1].forward(x)": {"any", "body[0]"},
    "self.run(self.body, x)": {"any", "body", "body[0]"},
}
TEXT = """
import torch
from torch import nn


def watch(module, hook):
    module.{register}(hook)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.head = nn.Linear(4, 2)
        {registered}

    def note(self, *given):
        self.noted = True

    def run(self, module, x):
        return module.forward(x)

    def forward(self, x):
        return {called}


net = Net()
y = net(torch.randn(4, 8))
"""
CASES = [
    (place, line, method, call)
    for (place, lines), method, call in product(REGISTERED.items(), METHODS, CALLED)
    for line in lines
]


@pytest.mark.parametrize(("place", "line", "method", "call"), CASES)
def test_a_hook_on_the_module_makes_it_a_warning(place, line, method, call):
    text = TEXT.format(registered=line.format(register=method), register=method, called=call)
    if "watch(" not in line:
        text = text.replace(f"module.{method}(hook)", "pass")
    exec(compile(text, "hooks", "exec"), {"__name__": "hooks"})
    (found,) = [found for found in findings(text) if found.code == "DLS110"]
    assert found.severity is (Severity.WARNING if place in CALLED[call] else Severity.INFO)


@pytest.mark.parametrize("place", ["body[0]", "body"])
def test_what_the_module_calls_itself_runs_its_hooks(place):
    """By name, a hook on the module does not run, and one on a part of it does."""
    noted: list[int] = []
    body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
    (body[0] if place == "body[0]" else body).register_forward_hook(lambda *given: noted.append(1))
    body.forward(torch.randn(2, 8))
    assert noted == ([1] if place == "body[0]" else [])


@pytest.mark.parametrize("hook", ["# net.register_forward_hook(print)", '"""register_forward_hook"""'])
def test_a_comment_registers_nothing(hook):
    text = f"import torch\nfrom torch import nn\n\n{hook}\ny = nn.Linear(8, 2).forward(torch.randn(4, 8))\n"
    assert [found.severity for found in findings(text) if found.code == "DLS110"] == [Severity.INFO]
