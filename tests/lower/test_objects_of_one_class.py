"""Objects that are built by equal calls have nothing of each other's later life."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

KERAS = """
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

class Inner(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = layers.Dense(units)
        self.norm = layers.BatchNormalization()
        self.parts = [layers.Dense(units), layers.Dense(units)]
    def call(self, x):
        return self.parts[0](self.norm(self.dense(x)))

class Block(layers.Layer):
    def __init__(self, units=32):
        super().__init__()
        self.inner = Inner(units)
        self.named = {{"head": layers.Dense(units)}}
    def call(self, x):
        return self.named["head"](self.inner(x))

{uses}
"""
USES = {
    "functional": "Block()(keras.Input((7,)))\nBlock()({made})",
    "one after the other": "a = Block()\nb = Block()\na(keras.Input((7,)))\nb({made})",
    "built after the use of the first": "a = Block()\na(tf.zeros((2, 7)))\nb = Block()\nb({made})",
    "by name": "a = Block(units=8)\na(tf.zeros((2, 7)))\nb = Block(units=8)\nb({made})",
    "by a helper": "def block():\n    return Block(8)\n\nblock()(tf.zeros((2, 7)))\nblock()({made})",
    "in a loop": "for size in (7, 9, 5):\n    Block(8)(tf.zeros((2, size)))",
    "in a list": "blocks = [Block() for _ in range(3)]\nfor n, block in enumerate(blocks):\n    block(tf.zeros((2, n + 2)))",
}


@pytest.mark.parametrize("made", ["tf.zeros((1, 5))", "keras.Input((5,))"])
@pytest.mark.parametrize("uses", USES)
def test_each_layer_takes_its_width_from_its_own_first_input(uses: str, made: str) -> None:
    source = KERAS.format(uses=USES[uses].format(made=made))
    found = [op for program in lower(source).programs for op in program.ops]
    assert [op for op in found if op.kind == "linear"]
    assert [op for op in found if op.faults] == []


AGAIN = (
    "a = Block()\na(tf.zeros((2, 7)))\na(tf.zeros((1, 5)))",
    "Block()(tf.zeros((2, 7)))\nb = Block()\nb(tf.zeros((2, 5)))\nb(tf.zeros((2, 7)))",
)


@pytest.mark.parametrize("uses", AGAIN)
def test_a_layer_that_is_used_again_keeps_its_width(uses: str) -> None:
    found = [op for program in lower(KERAS.format(uses=uses)).programs for op in program.ops]
    assert "linear" in {op.kind for op in found if op.faults}


CHANGES = {
    "a layer of another size": "a.fc = nn.Linear(7, 4)",
    "a layer deep in it": "a.parts[0] = nn.Linear(7, 4)",
    "an attribute of a layer": "a.fc.weight = nn.Parameter(torch.zeros(4, 7))",
    "a list that grows": "a.sizes.append(7)",
    "a list that loses an element": "a.sizes.pop()",
    "a number": "a.size = 7",
    "a table": "a.table['size'] = 'seven'",
    "in a function": "change(a)",
    "by name": "setattr(a, 'fc', nn.Linear(7, 4))",
    "under a condition": "if flag():\n    a.fc = nn.Linear(7, 4)",
    "in a loop": "for layer in (nn.Linear(6, 4), nn.Linear(7, 4)):\n    a.fc = layer",
}
TORCH = """
import torch
from torch import nn
from elsewhere import flag

class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc, self.size, self.sizes = nn.Linear(size, 4), size, [size]
        self.parts = nn.ModuleList([nn.Linear(size, 4)])
        self.table = {{"size": size}}
    def forward(self, x):
        return self.fc(x.view(-1, self.size)) + self.parts[0](x.view(-1, self.sizes[-1])) + self.table["size"]

def change(net):
    net.fc, net.size = nn.Linear(7, 4), 7

a = Net(5)
{change}
b = Net(5)
b(torch.zeros(2, 5))
"""


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_done_to_one_is_not_done_to_the_next(change: str) -> None:
    found = [op for program in lower(TORCH.format(change=CHANGES[change])).programs for op in program.ops]
    assert [op for op in found if op.faults] == []
    assert len([op for op in found if op.kind == "linear"]) >= 2
