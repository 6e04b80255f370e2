"""Objects that a loop walks through are written to: nobody knows which, so that their old numbers are not known either."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document
from tests.rules.harness import PATH, reports

TREE = """import numpy as np
import torch


class Node:
    def __init__(self):
        self.children = {{}}
        self.count = 0

    def is_leaf(self):
        return self.children == {{}}

    def best(self):
        return max(self.children.items(), key=lambda pair: 1 / (pair[1].count + 1))


def choose(node):
    return max(node.children.items(), key=lambda pair: 1 / (pair[1].count + 1))


def search(times, policy):
    root = Node()
    for _ in range(times):
        node = root
        while {test}:
            key, node = {choice}
        for action in range({width}):
            node.children[action] = Node()
        {write}
    return [child.count for child in root.children.values()]


counts = np.array(search(50, torch.randn(4).tolist()))
share = counts / np.sum(counts)
"""
TESTS = ("not node.is_leaf()", "node.children != {}", "len(node.children) > 0")
CHOICES = ("choose(node)", "node.best()", "max(node.children.items(), key=lambda pair: 1 / (pair[1].count + 1))")
WIDTHS = ("4", "len(policy)")
WRITES = ("node.count += 1", "node.count = node.count + 1", "setattr(node, 'count', node.count + 1)")


@pytest.mark.parametrize(("test", "choice", "width", "write"), list(product(TESTS, CHOICES, WIDTHS, WRITES)))
def test_counts_of_a_search_are_not_known(test, choice, width, write):
    assert reports(TREE.format(test=test, choice=choice, width=width, write=write)) == []


@pytest.mark.parametrize("bases", ["()", "(object,)"])
def test_objects_of_a_made_class_take_attributes(bases):
    made = f"import torch\n\nMade = type('Made', {bases}, {{}})\nkept = Made()\n"
    text = f"{made}kept.data = torch.zeros(4, 3)\ny = kept.data.view(7)\n"
    lowered = lower_document(Document.from_text(PATH, text))
    assert not lowered.failures
    assert [code for _, code in reports(text)] == ["DLT105"]


@pytest.mark.parametrize("call", ["net.encode(x, 3)", "net.encode(x, n=3)", "Net.encode(net, x, 3)"])
def test_the_body_of_a_function_that_a_call_does_not_fit_is_not_reached(call):
    text = f"""import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 2)

    def encode(self, x):
        return self.fc(x)

    def forward(self, x):
        return self.encode(x)


def helper(x):
    net = Net()
    return {call}


helper(torch.zeros(4, 120))
"""
    assert not [code for _, code in reports(text) if code == "DLT101"]
