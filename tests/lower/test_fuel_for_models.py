"""Functions that build models, however many and however long they take, leave fuel for the models themselves.

Zoos of models have a hundred of them in a file, each of which builds one size of a class and initialises it part by part.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document

#: ``Block.forward`` gives 7 columns to a layer of at least 8: nothing but the model itself runs it.
MODELS = """
import torch
from torch import nn


def named_apply(fn, module, name='', depth=0):
    for child_name, child in module.named_children():
        named_apply(fn, child, name + '.' + child_name, depth + 1)
    fn(module, name)
    return module


def init_weights(module, name):
    if hasattr(module, 'weight') and name.startswith('head') or torch.rand(1).item() > 0.5:
        for _ in range(100):
            module.scale = 1.0
            module.shift = [number * 2 for number in range(100)]
    elif torch.rand(1).item() > 0.5:
        module.scale = 2.0


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, 7)

    def forward(self, x):
        return self.norm(x), self.fc(torch.zeros(2, 7))


class Net(nn.Module):
    def __init__(self, dim=8, depth=4):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        {rest}

    def forward(self, x):
        return self.blocks(x)


def build(kind, **settings):
    return kind(**settings)

"""
RESTS = ("named_apply(init_weights, self)", "self.apply(lambda module: init_weights(module, ''))", "self.dim = dim")
BUILDERS = (
    "def net_{n}(**kwargs):\n    return build(Net, **dict(dict(dim={n} + 8, depth={n} + 4), **kwargs))\n\n",
    "def net_{n}(pretrained=False):\n    net = Net({n} + 8, depth=12)\n    return named_apply(init_weights, net)\n\n",
)


@pytest.mark.parametrize(("rest", "builder"), list(itertools.product(RESTS, BUILDERS)))
def test_models_are_followed_behind_their_builders(rest: str, builder: str) -> None:
    for number in (1, 12, 80):
        text = MODELS.replace("{rest}", rest) + "".join(builder.format(n=n) for n in range(number))
        lowered = lower_document(Document.from_text(Path("zoo.py"), text))
        faults = [fault for program in lowered.programs for op in program.ops for fault in op.faults]
        assert faults, (number, rest, builder)
        followed = {program.entry for program in lowered.programs if program.ops}
        assert followed & {"Net.forward", "Block.forward"}, (number, followed)


def test_builders_that_are_not_begun_are_not_told_as_cut_short() -> None:
    text = MODELS.replace("{rest}", RESTS[2]) + "".join(BUILDERS[0].format(n=n) for n in range(80))
    cut = lower_document(Document.from_text(Path("zoo.py"), text)).cut
    assert len([name for name in cut if name.startswith("net_")]) <= 8
