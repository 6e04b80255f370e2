"""Classes of torch and of the analysed code among the bases of one class: constructors and ``forward`` are found in the order
in which Python looks for them."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest
import torch

from dllint.ir.program import Program
from tests.lower.tracing import program

_SOURCE: Final = """
import torch
from torch import nn


class Mixin({root}):
{mixin}


class Both({bases}):
{own}


class Part(Mixin):
    def __init__(self):
        {part}
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(x)


made = Both({arguments})
{use}
"""
_MIXINS: Final = {
    "nothing": "    pass",
    "a constructor": "    def __init__(self):\n        super().__init__()\n        self.extra = nn.Linear(4, 7)",
    "a constructor of its own": "    def __init__(self):\n        self.mark = 7",
    "forward": "    def forward(self, x):\n        return torch.cat((x, x, x), 1)",
}
_OWN: Final = {
    "nothing": "    pass",
    "forward": "    def forward(self, x):\n        for part in self:\n            x = part(x)\n        return x",
    "constructor": "    def __init__(self, *parts):\n        super().__init__(*parts)",
}
#: Of a base: arguments for the constructor, and what is done with the object.
_BASES: Final = {
    "nn.Sequential": ("nn.Linear(4, 5), nn.ReLU()", "y = made(torch.rand(2, 4))"),
    "nn.ModuleList": ("[nn.Linear(4, 5), nn.Linear(4, 5)]", "y = made[0](torch.rand(2, 4))"),
    "nn.Linear": ("4, 5", "y = made(torch.rand(2, 4))"),
}
#: Of so many programs at least both sides are compared; the others raise, as a constructor that torch needs is not reached.
_LEAST: Final = 15


def _text(base: str, root: str, own: str, mixin: str) -> str:
    arguments, use = _BASES[base]
    mixed = _MIXINS[mixin] if root == "nn.Module" else _MIXINS[mixin].replace("nn.Linear(4, 7)", "7")
    part = "super().__init__()" if root == "nn.Module" else "pass"
    text = _SOURCE.format(
        root=root, mixin=mixed, bases=f"{base}, Mixin", own=_OWN[own], part=part, arguments=arguments, use=use
    )
    return text if root == "nn.Module" else text.replace("class Part(Mixin)", "class Part(Mixin, nn.Module)")


def _shape(traced: Program) -> tuple[object, ...] | None:
    ops = [op for op in traced.ops if op.outputs]
    return tuple(ops[-1].output.shape) if ops and isinstance(ops[-1].output.shape, tuple) else None


def _computed(text: str) -> tuple[int, ...] | None:
    """The shape that torch computes, ``None`` where the program raises."""
    variables: dict[str, object] = {}
    try:
        exec(compile(text, "models.py", "exec"), variables)
    except (RuntimeError, AttributeError, LookupError):
        return None
    computed = variables["y"]
    assert isinstance(computed, torch.Tensor)
    return tuple(computed.shape)


@pytest.mark.parametrize("base", _BASES)
def test_what_a_class_of_several_bases_computes_is_what_torch_computes(base: str):
    compared = 0
    for root, own, mixin in product(("nn.Module", "object"), _OWN, _MIXINS):
        if own == "forward" and base != "nn.Sequential":
            continue
        text = _text(base, root, own, mixin)
        if (computed := _computed(text)) is not None:
            traced = program(text)
            assert not any(op.faults for op in traced.ops), text
            assert _shape(traced) == computed, text
            compared += 1
    assert compared >= _LEAST - 4 * (base != "nn.Sequential")
