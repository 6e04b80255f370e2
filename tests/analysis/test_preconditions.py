"""What has to hold of the parameters of a model: told in the user's names, and only of sizes that are parameters."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.analysis.preconditions import preconditions
from dllint.lower.document import lower_document
from dllint.source.document import Document

NAMES = (("hidden", "width", "heads"), ("d_ff", "n_units", "n_head"))
MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim, {a}, {b}, {h}):
        super().__init__()
        self.h, self.size = {h}, dim // {h}
        self.layer = {layer}
        self.first, self.second = nn.Linear(dim, {a}), nn.Linear({b}, dim)

    def forward(self, x):
        {forward}
"""
#: A layer, what is done, and what has to hold.
RELATIONS = (
    ("nn.Identity()", "return self.second(torch.relu(self.first(x)))", "{b} == {a}"),
    ("nn.Identity()", "return self.second(self.layer(self.first(x).contiguous()))", "{b} == {a}"),
    ("nn.MultiheadAttention(dim, {h})", "return self.layer(x, x, x)[0]", "dim % {h} == 0"),
    ("nn.TransformerEncoderLayer(dim, {h})", "return self.layer(x)", "dim % {h} == 0"),
    ("nn.GroupNorm({h}, {a})", "return self.layer(self.first(x).transpose(1, 2))", "{a} % {h} == 0"),
    ("nn.Conv1d({a}, {a} * 2, 3, groups={h})", "return self.layer(self.first(x).transpose(1, 2))", "{a} % {h} == 0"),
    ("nn.Linear(dim, 3 * dim)", "b, n, _ = x.shape; return self.layer(x).view(b, n, 3, self.h, self.size)", "dim % {h} == 0"),
    ("nn.Linear(dim, {a})", "b, n, _ = x.shape; return self.layer(x).reshape(b, n, self.second.in_features)", "{a} == {b}"),
)
#: What runs for all sizes, or for those of inputs.
SOUND = (
    ("nn.Linear(dim, {a})", "return self.first(x) + self.layer(x)"),
    ("nn.MultiheadAttention({h} * dim, {h})", "return self.layer(x, x, x)[0]"),
    ("nn.GroupNorm(1, {a})", "return self.layer(self.first(x).transpose(1, 2))"),
    ("nn.Linear(dim, {a})", "b, n, c = x.shape; return self.layer(x).reshape(b, n, -1)"),
    ("nn.Identity()", "y = self.first(x)\n        return self.second(y) if {test} else y"),
)


def trace(text):
    return lower_document(Document.from_text(Path("net.py"), text)).programs


def written(names, layer, forward):
    a, b, h = names
    forward = forward.format(a=a, b=b, h=h, test="self.first.out_features == self.second.in_features")
    return MODEL.format(a=a, b=b, h=h, layer=layer.format(a=a, b=b, h=h), forward=forward)


@pytest.mark.parametrize(("names", "relation"), list(product(NAMES, RELATIONS)))
def test_a_relation_is_told_in_the_names_of_the_constructor(names, relation):
    layer, forward, asked = relation
    analysed = trace(written(names, layer, forward))
    found = [preconditions(program.trace) for program in analysed]
    assert asked.format(a=names[0], b=names[1], h=names[2]) in [text for texts in found for text in texts]
    assert max(map(len, found)) == 1


@pytest.mark.parametrize("sound", SOUND)
def test_of_what_runs_for_all_sizes_nothing_is_told(sound):
    assert not any(preconditions(program.trace) for program in trace(written(NAMES[0], *sound)))
