"""What is set under a name that is not known may be any attribute: settings made before it are no longer known."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

PROGRAM = """
import json
from torch import nn


class Options:
    def __init__(self, {name}, width=8):
        self.{name} = {name}
        self.width = width

    @classmethod
    def read(cls, path):
        out = Options({value})
        {fill}
        return out


class Words(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.table = nn.Embedding(options.{name}, options.width, padding_idx=0)
        self.head = nn.Linear(options.width, 2)

    def forward(self, x):
        return self.head(self.table(x))


def load(path):
    return Words(Options.read(path))
"""
FILLS = (
    "for key, value in json.load(open(path)).items():\n            out.__dict__[key] = value",
    "for key, value in json.load(open(path)).items():\n            setattr(out, key, value)",
    "out.__dict__.update(json.load(open(path)))",
    "vars(out).update(json.load(open(path)))",
    "vars(out)[path] = 3",
    "out.__dict__.update(**json.load(open(path)))",
)


def faults(text: str) -> list[str]:
    return [op.kind for program in lower(text).programs for op in program.ops if op.faults]


@pytest.mark.parametrize(("fill", "name"), list(product(FILLS, ("vocab_size", "rows"))))
def test_what_was_set_before_is_not_known(fill, name):
    assert faults(PROGRAM.format(fill=fill, name=name, value=-1)) == []


@pytest.mark.parametrize(
    "fill", ["out.__dict__['other'] = 3", "setattr(out, 'other', 3)", "out.__dict__.update(other=3)", "pass"]
)
def test_another_name_changes_nothing(fill):
    assert faults(PROGRAM.format(fill=fill, name="rows", value=-1)) == ["construct"]
