"""Lists and dicts that are given to code which is not followed: it may have put further elements into them."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

TEXT = """
import torch
from torch import nn
import logging
import matplotlib.pyplot as plt
import wandb
import somewhere
from .nearby import fill

{made}
{call}
x = torch.zeros({size}, 3) + torch.zeros(4, 3)
"""
#: How a container is made, what it is called where it is handed over, and a size that it says.
CONTAINERS = [
    ("sizes = [3, 2]", "sizes", "sizes[-1]"),
    ("sizes = [3, 2]", "sizes", "len(sizes)"),
    ("sizes = [3, 2]\nothers = sizes", "others", "sizes[-1]"),
    ("sizes = list(range(3))", "sizes", "sizes.pop()"),
    ("sizes = [3, 2]", "sizes", "len(torch.tensor(sizes))"),
    ("sizes = {'width': 3}", "sizes", "sizes['width']"),
    ("sizes = dict(width=3, height=2)", "sizes", "len(sizes)"),
    ("sizes = dict(width=3)", "sizes", "sizes.get('height', 2)"),
    ("sizes = {'model': {'width': 3}}", "sizes", "sizes['model']['width']"),
    ("sizes = {'widths': [3, 2]}", "sizes", "len(sizes['widths'])"),
]
CALLS = [
    "fill({0})",
    "somewhere.fill(1, {0})",
    "somewhere.fill(data={0})",
    "somewhere.Filler({0})",
    "somewhere.Filler().run({0})",
    "def handed(put):\n    put({0})\nhanded(somewhere.fill)",
    "for _ in range(3):\n    fill({0})",
    "if somewhere.wanted:\n    fill({0})",
]
READING = [
    "print({0})",
    "plt.plot({0})",
    "wandb.init(config={0})",
    "logging.getLogger('run').info({0})",
    "somewhere.logger.log_all({0})",
    "torch.save({0}, 'sizes.pt')",
    "somewhere.fill([*{0}])",
    "somewhere.fill(1)",
]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("made", "name", "size"), CONTAINERS)
@pytest.mark.parametrize("call", CALLS)
def test_what_they_hold_is_not_known_any_more(call, made, name, size):
    assert "DLT109" not in [code for _, code in reports(TEXT.format(made=made, call=call.format(name), size=size))]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("made", "name", "size"), CONTAINERS)
@pytest.mark.parametrize("call", READING)
def test_they_are_known_where_they_are_only_read(call, made, name, size):
    assert "DLT109" in [code for _, code in reports(TEXT.format(made=made, call=call.format(name), size=size))]


def test_elements_in_front_stay_what_they_are():
    made = "layers = [nn.Linear(5, 3)]"
    text = TEXT.format(made=made, call="fill(layers)", size="layers[0].out_features")
    assert "DLT109" in [code for _, code in reports(text)]
