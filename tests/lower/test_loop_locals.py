"""What a function that a loop calls does to its own variables is no change that the loop carries; what outlives a pass is."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest

from dllint.analysis.facts import Facts
from dllint.domains.interval import Interval
from tests.lower.tracing import program

_HEAD: Final = """import torch

W = torch.nn.Parameter(torch.ones(7, 5))
given = torch.rand(3, 7)
fixed = torch.softmax(given @ W, 1)
"""
#: Ways to write a helper that limits its parameter and then takes the logarithm of it, with a call of it.
_HELPERS: Final = {
    "function": ("def entropy(p):\n    p = torch.clamp(p, 1e-9, 1.0)\n    return torch.log(p)\n", "entropy({})"),
    "keyword": (
        "def entropy(scale, *, p):\n    p = p.clamp(min=1e-9)\n    return scale * torch.log(p)\n",
        "entropy(2.0, p={})",
    ),
    "twice": (
        "def entropy(p):\n    p = p * 0.5\n    p = p.clamp(min=1e-9)\n    return torch.log(p)\n",
        "entropy({})",
    ),
    "method": (
        "class Loss:\n    def of(self, p):\n        p = torch.clamp(p, 1e-9, 1.0)\n        return torch.log(p)\n",
        "Loss().of({})",
    ),
    "static": (
        "class Loss:\n    @staticmethod\n    def of(p):\n        p = torch.clamp(p, 1e-9, 1.0)\n        return torch.log(p)\n",
        "Loss.of({})",
    ),
    "module": (
        "class Loss(torch.nn.Module):\n    def forward(self, p):\n        p = torch.clamp(p, 1e-9, 1.0)\n"
        "        return torch.log(p)\nloss = Loss()\n",
        "loss({})",
    ),
    "nested": (
        "def entropy(q):\n    def inner(p):\n        p = torch.clamp(p, 1e-9, 1.0)\n        return torch.log(p)\n"
        "    q = q + 0\n    return inner(q)\n",
        "entropy({})",
    ),
    "lambda": ("guard = lambda p: torch.log(torch.clamp(p, 1e-9, 1.0))\n", "guard({})"),
    "walrus": ("guard = lambda p: torch.log((p := torch.clamp(p, 1e-9, 1.0)))\n", "guard({})"),
    "keywords": (
        "def entropy(**kept):\n    kept['p'] = torch.clamp(kept['p'], 1e-9, 1.0)\n    return torch.log(kept['p'])\n",
        "entropy(p={})",
    ),
    "display": (
        "def entropy(p):\n    kept = {{'p': p}}\n    kept['p'] = torch.clamp(kept['p'], 1e-9, 1.0)\n"
        "    return torch.log(kept['p'])\n".replace("{{", "{").replace("}}", "}"),
        "entropy({})",
    ),
    "made": (
        "def entropy(p):\n    kept = dict(p=p)\n    kept['p'] = kept['p'].clamp(1e-9, 1.0)\n    return torch.log(kept['p'])\n",
        "entropy({})",
    ),
}
#: Loops of unknown length, of known length and nested ones.
_LOOPS: Final = {
    "counted": "for step in range(1000):\n    {}\n",
    "unknown": "for batch in stream():\n    {}\n",
    "while": "while running():\n    {}\n",
    "nested": "for epoch in range(1000):\n    for batch in stream():\n        {}\n",
}
#: What is handed over: a tensor of the loop, or one that was there before.
_ARGUMENTS: Final = ("torch.softmax(given @ W, 1)", "fixed", "torch.sigmoid(fixed)")


def _of_logarithm(text: str) -> Interval:
    """The range of the argument of the last logarithm of a program."""
    traced = program(text)
    last = [op for op in traced.ops if op.kind == "log"][-1]
    return Facts(traced).ranges.at(last, last.args["x"])


@pytest.mark.parametrize(("helper", "loop", "argument"), list(product(_HELPERS, _LOOPS, _ARGUMENTS)))
def test_the_range_that_a_helper_gives_its_parameter_holds_in_every_pass(helper: str, loop: str, argument: str) -> None:
    definition, call = _HELPERS[helper]
    text = _HEAD + definition + _LOOPS[loop].format(f"value = {call.format(argument)}")
    assert _of_logarithm(text).low.value > 0, text


#: What a pass leaves to the next one: a variable of the loop, of a function around it, an attribute, an element.
_CARRIED: Final = (
    "p = fixed + 1.0\nfor batch in stream():\n    y = torch.log(p)\n    p = p - 0.5\n",
    "def outer():\n    p = fixed + 1.0\n    def step():\n        nonlocal p\n        p = p - 0.5\n"
    "    for batch in stream():\n        y = torch.log(p)\n        step()\nouter()\n",
    "class Kept:\n    pass\nkept = Kept()\nkept.p = fixed + 1.0\nfor batch in stream():\n    y = torch.log(kept.p)\n"
    "    kept.p = kept.p - 0.5\n",
    "kept = {'p': fixed + 1.0}\nfor batch in stream():\n    y = torch.log(kept['p'])\n    kept['p'] = kept['p'] - 0.5\n",
    "def step(kept):\n    kept['p'] = kept['p'] - 0.5\nkept = {'p': fixed + 1.0}\nfor batch in stream():\n"
    "    y = torch.log(kept['p'])\n    step(kept)\n",
    "for epoch in stream():\n    kept = {'p': fixed + 1.0}\n    for batch in stream():\n        y = torch.log(kept['p'])\n"
    "        kept['p'] = kept['p'] - 0.5\n",
)


@pytest.mark.parametrize("text", _CARRIED)
def test_what_outlives_a_pass_is_carried(text: str) -> None:
    assert _of_logarithm(_HEAD + text).low.value < 0


def test_what_a_loop_made_is_there_after_it() -> None:
    text = (
        _HEAD + "for batch in stream():\n    kept = {'p': fixed}\n    kept['p'] = kept['p'] + 1.0\ny = torch.log(kept['p'])\n"
    )
    assert _of_logarithm(text).low.value >= 1
