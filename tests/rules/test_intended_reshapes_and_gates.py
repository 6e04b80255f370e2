"""Relative attention shifts rows by dealing elements out anew, and attention weighs values by the softmax of its scores."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

TORCH = """
import torch
from torch import nn


def shift({x}):
    q, k, b, n = {x}.shape
    {x} = nn.functional.pad({x}, (0, 0, 0, 0, 1, 0))
    {x} = {x}.{reshape}(k + 1, q, b, n)
    {x} = {cut}
    return {x}.{reshape}(q, k, b, n)


class Attention(nn.Module):
    def forward(self, scores):
        return shift(scores)


Attention()(torch.randn(6, 9, 2, 4))
"""
CUTS = ("{x}[1:]", "{x}.narrow(0, 1, k)", "{x}[1:, :, :, :]")


@pytest.mark.parametrize(("x", "reshape", "cut"), list(product(("x", "scores"), ("reshape", "view"), CUTS)))
def test_torch_shifts(x, reshape, cut):
    text = TORCH.format(x=x, reshape=reshape, cut=cut.format(x=x))
    exec(compile(text, "shift", "exec"), {})
    assert [code for _, code in reports(text) if code == "DLT106"] == []


#: Each row beside each other one, as graph attention scores pairs: rows of one kind are repeated along the features.
PAIRS = """
import torch


def pairs({h}):
    b, n, f = {h}.shape
    left = {left}
    right = {h}.repeat(1, n, 1)
    assert torch.equal(left, {h}.repeat_interleave(n, dim=1))
    return torch.cat([left, right], dim=2)


pairs(torch.randn(2, 5, 5))
"""
LEFT = (
    "{h}.repeat(1, 1, n).view(b, n * n, f)",
    "{h}.repeat(1, 1, n).reshape(b, -1, f)",
    "torch.tile({h}, (1, 1, n)).view(b, n * n, -1)",
)


@pytest.mark.parametrize(("h", "left"), list(product(("h", "Wh"), LEFT)))
def test_rows_that_were_repeated(h, left):
    text = PAIRS.format(h=h, left=left.format(h=h))
    exec(compile(text, "pairs", "exec"), {})
    assert [code for _, code in reports(text) if code == "DLT106"] == []


TENSORFLOW = """
import tensorflow as tf


def shapes(x):
    static = x.shape.as_list()
    dynamic = tf.shape(x)
    return [dynamic[i] if s is None else s for i, s in enumerate(static)]


class Relative(tf.Module):
    def _shift(self, x):
        size = {size}
        x = tf.pad(x, [[0, 0], [1, 0], [0, 0], [0, 0]])
        x = tf.reshape(x, [size[1] + 1, size[0], size[2], size[3]])
        x = {cut}
        return tf.reshape(x, size)

    def call(self, x):
        return self._shift(x)


Relative().call(tf.zeros((6, 9, 2, 4)))
"""


@pytest.mark.parametrize(
    ("size", "cut"),
    list(
        product(
            ("shapes(x)", "tf.shape(x)", "x.shape"), ("tf.slice(x, [1, 0, 0, 0], [-1, -1, -1, -1])", "x[1:]", "x[1:, :, :]")
        )
    ),
)
def test_tensorflow_shifts(size, cut):
    text = TENSORFLOW.format(size=size, cut=cut)
    exec(compile(text, "shift", "exec"), {})
    assert [code for _, code in reports(text) if code == "DLT106"] == []


SWAPPED = """
import torch
from torch import nn

x = nn.Embedding(10, 16)(torch.randint(0, 10, (8, 20)))
y = x.view(20, 8, 16)
z = {cut}
"""


@pytest.mark.parametrize("cut", ["y[3]", "y[0]", "y[:2]", "y"])
def test_a_reshape_that_swaps_is_told(cut):
    text = SWAPPED.format(cut=cut)
    assert [code for _, code in reports(text)] == ["DLT106"]


GATE = """
import torch
from torch import nn
from torch.nn import functional as F


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(16, 1)
        self.drop = nn.Dropout(0.6)

    def forward(self, h):
        {scores} = {activation}(self.score(h).squeeze(-1))
        {scores} = {softmax}
        {scores} = {between}
        return {use}


Graph()(torch.randn(4, 7, 16))
"""
ACTIVATIONS = ("F.leaky_relu", "F.elu", "torch.tanh")
#: Those that bound the scores, so that the softmax after them cannot tell all that it could.
BOUNDING = ("torch.tanh", "torch.sigmoid")
SOFTMAX = ("torch.softmax({scores}, -1)", "F.softmax({scores}, dim=1)", "{scores}.softmax(-1)")
BETWEEN = ("{scores}.unsqueeze(-1)", "self.drop({scores}).unsqueeze(-1)", "F.dropout({scores}, 0.6, self.training)[..., None]")
USES = ("({scores} * h).sum(1)", "torch.matmul({scores}.transpose(1, 2), h)", "torch.einsum('bnk,bnd->bd', {scores}, h)")


@pytest.mark.parametrize(("activation", "softmax", "between", "use"), list(product(ACTIVATIONS, SOFTMAX, BETWEEN, USES)))
def test_attention_over_activated_scores(activation, softmax, between, use):
    parts = {"softmax": softmax, "between": between, "use": use}
    text = GATE.format(
        activation=activation, scores="scores", **{name: part.format(scores="scores") for name, part in parts.items()}
    )
    exec(compile(text, "gate", "exec"), {})
    assert [code for _, code in reports(text) if code == "DLS202"] == []


CLASSES = """
import torch
from torch import nn
from torch.nn import functional as F

scores = {activation}(nn.Linear(8, 3)(torch.randn(4, 8)))
{classes}
"""


@pytest.mark.parametrize("activation", BOUNDING)
def test_an_activation_before_the_softmax_of_classes(activation):
    text = CLASSES.format(activation=activation, classes="shares = F.softmax(scores, dim=1)")
    assert "DLS202" in [code for _, code in reports(text)]


@pytest.mark.parametrize("activation", ["torch.relu", "F.leaky_relu", "F.elu", "F.gelu", "F.softplus"])
def test_a_softmax_compares_scores_that_are_open_above(activation):
    assert "DLS202" not in [
        code
        for _, code in reports(CLASSES.format(activation=activation, classes="classes = F.softmax(scores, dim=1).argmax(1)"))
    ]


#: What tutorials show of a reshape: the numbers are written down, or counted.
WRITTEN = {
    "torch": ("torch.tensor({data})", "torch.arange({size}).view({shape})", "torch.tensor({data}, dtype=torch.float32)"),
    "numpy": ("np.array({data})", "np.arange({size}).reshape({shape})", "np.asarray({data}, dtype=float)"),
    "tensorflow": ("tf.constant({data})", "tf.reshape(tf.range({size}), ({shape}))"),
}
IMPORTS = {"torch": "import torch", "numpy": "import numpy as np", "tensorflow": "import tensorflow as tf"}
RESHAPES = {
    "torch": ("{x}.view({to})", "torch.reshape({x}, ({to}))"),
    "numpy": ("np.reshape({x}, ({to}))", "{x}.reshape({to})"),
    "tensorflow": ("tf.reshape({x}, ({to}))",),
}
COMPUTED = {
    "torch": "torch.nn.Linear(5, 3)(torch.randn(2, 5))",
    "numpy": "np.random.rand(2, 5) @ np.random.rand(5, 3)",
    "tensorflow": "tf.keras.layers.Dense(3)(tf.random.normal((2, 5)))",
}
HELPER = "{imports}\n\n\ndef change({x}):\n    return {reshape}\n\n\nprint(change({made}))\n"
PLAIN = "{imports}\n\n{x} = {made}\nprint({reshape})\n"
LAYOUTS = [(library, reshape, text) for library in RESHAPES for reshape in RESHAPES[library] for text in (PLAIN, HELPER)]


@pytest.mark.parametrize("to", ["3, 2", "3, -1"])
@pytest.mark.parametrize(("library", "reshape", "text"), LAYOUTS)
def test_numbers_that_are_written_down(library, reshape, text, to):
    for made in WRITTEN[library]:
        source = made.format(data="[[1, 2, 3], [4, 5, 6]]", size=6, shape="2, 3")
        code = text.format(imports=IMPORTS[library], x="a", made=source, reshape=reshape.format(x="a", to=to))
        assert [found for _, found in reports(code) if found == "DLT106"] == [], code


@pytest.mark.parametrize(("library", "reshape", "text"), LAYOUTS)
def test_numbers_that_are_computed(library, reshape, text):
    code = text.format(imports=IMPORTS[library], x="a", made=COMPUTED[library], reshape=reshape.format(x="a", to="3, 2"))
    assert [found for _, found in reports(code)].count("DLT106") == 1, code
