"""Heads are split and merged axis by axis, and attention weights are summed over the axis along which they sum to 1."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

ATTENTION = """
import math

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, dim=60, heads=4):
        super().__init__()
        self.heads, self.d = heads, dim // heads
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.out, self.drop = nn.Linear(dim, dim), nn.Dropout(0.1)

    def split(self, x):
        B, T, _ = x.shape
        return {split}

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = {scores}
        {mask}
        w = {softmax}
        w = self.drop(w)
        o = {use}
        return self.out({merge})
{call}
"""
RIGHT = {
    "split": "x.view(B, T, self.heads, self.d).transpose(1, 2)",
    "scores": "q @ k.transpose(-2, -1) / math.sqrt(self.d)",
    "mask": "",
    "softmax": "F.softmax(scores, dim=-1)",
    "use": "w @ v",
    "merge": "o.transpose(1, 2).reshape(B, T, C)",
    "call": "",
}
CALLS = ("", "\n\nprint(Attention()(torch.randn(2, 7, 60)).shape)")
#: Other spellings of the same.
SPELLINGS = {
    "split": ("x.reshape(B, T, self.heads, -1).permute(0, 2, 1, 3)", "x.unflatten(-1, (self.heads, self.d)).movedim(2, 1)"),
    "scores": ("torch.einsum('bhqd,bhkd->bhqk', q, k)", "torch.matmul(q * self.d ** -0.5, k.mT)"),
    "mask": ("scores = scores.masked_fill(torch.triu(torch.ones(T, T), 1).bool(), float('-inf'))",),
    "softmax": ("scores.softmax(3)", "nn.Softmax(dim=-1)(scores)", "torch.softmax(scores.float(), -1).type_as(scores)"),
    "use": ("torch.matmul(w, v)", "torch.einsum('bhqk,bhkd->bhqd', w, v)"),
    "merge": ("o.permute(0, 2, 1, 3).contiguous().view(B, T, C)", "o.transpose(1, 2).flatten(2)"),
}
#: What each part is mistaken for.
RESHAPES = {
    "split": (
        "x.view(B, self.heads, T, self.d)",
        "x.reshape(B, self.heads, -1, self.d)",
        "x.contiguous().view(B, self.heads, T, -1)",
    ),
    "merge": ("o.reshape(B, T, C)", "o.contiguous().view(B, T, -1)", "o.reshape(B, T, self.heads * self.d)"),
}
WEIGHTS = {
    "softmax": ("F.softmax(scores, dim=-2)", "F.softmax(scores, dim=1)", "scores.softmax(0)", "nn.Softmax(dim=2)(scores)"),
    "use": ("w.transpose(-2, -1) @ v", "torch.einsum('bhqk,bhqd->bhkd', w, v)"),
}


def codes(parts: dict[str, str]) -> list[str]:
    return [code for _, code in reports(ATTENTION.format(**{**RIGHT, **parts}))]


def other_spellings(without: str) -> list[dict[str, str]]:
    return [{}, *({part: text} for part, texts in SPELLINGS.items() if part != without for text in texts)]


@pytest.mark.parametrize("call", CALLS, ids=("alone", "called"))
def test_attention_that_is_right(call):
    for parts in other_spellings(""):
        assert codes({**parts, "call": call}) == [], parts


@pytest.mark.parametrize(
    ("code", "part", "text"),
    [
        (code, part, text)
        for code, table in (("DLT106", RESHAPES), ("DLT121", WEIGHTS))
        for part, texts in table.items()
        for text in texts
    ],
)
def test_attention_that_is_wrong(code, part, text):
    for call, parts in product(CALLS, other_spellings(part)[::3]):
        assert codes({**parts, part: text, "call": call})[:1] == [code], parts


HEAD = """
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(64, 64), nn.Linear(64, 64), nn.Linear(64, 64)
        self.a, self.qkv = nn.Linear(64, 5), nn.Linear(64, 192)
        self.cq, self.ck, self.cv = nn.Conv2d(32, 4, 1), nn.Conv2d(32, 4, 1), nn.Conv2d(32, 32, 1)

    def forward(self, x, image):
        q, k, v = self.q(x), self.k(x), self.v(x)
        {body}


Net()(torch.randn(2, 10, 64), torch.randn(2, 32, 8, 8))
"""
#: Weights that sum to 1 along another axis than the one summed, as they should.
ASSIGNMENTS = {
    "slots": "a = F.softmax(q[:, :4] @ k.mT, dim=1) + 1e-8; a = a / a.sum(-1, keepdim=True); return a @ v",
    "linear attention": "return q.softmax(-1) @ (k.softmax(1).mT @ v)",
    "pooled graph": "a = torch.rand(2, 10, 10); s = F.softmax(a @ self.a(x), dim=-1); return s.mT @ (a @ v), s.mT @ a @ s",
    "both ways": "s = q @ k[:, :6].mT; a, b = F.softmax(s, 2), F.softmax(s, 1); return a @ k[:, :6], (a @ b.mT) @ q",
    "columns": "s = F.softmax(q @ k[:, :6].mT, 1); return s.mT @ q",
    "clusters": "a = F.softmax(self.a(x), dim=-1); return a.mT @ v",
    "matches": "s = q @ k.mT; return F.softmax(s, 1) * F.softmax(s, 2)",
    "channels": "c = self.cv(image).flatten(2); return F.softmax(c @ c.mT, -1) @ c",
    "experts": "l = self.a(x); d, c = l.softmax(1), l.softmax(2); return c @ self.q(d.mT @ x)",
    "capsules": "u = self.qkv(x).view(2, 10, 6, 32); c = u.sum(3).softmax(2); return torch.einsum('bij,bijd->bjd', c, u)",
    "pixels": "q, k, v = (f(image).flatten(2) for f in (self.cq, self.ck, self.cv)); return v @ F.softmax(q.mT @ k, -1).mT",
}
#: Attention of one head, over pixels and with fused projections.
ATTENTIONS = {
    "one head": "return F.softmax(torch.bmm(q, k.mT) / 8, dim=1) @ v",
    "pixels": "q, k, v = (f(image).flatten(2) for f in (self.cq, self.ck, self.cv)); return v @ F.softmax(q.mT @ k, -1)",
    "fused": "q, k, v = self.qkv(x).view(2, 10, 3, 4, 16).permute(2, 0, 3, 1, 4); return (q @ k.mT).softmax(-2) @ v",
    "chunks": "q, k, v = (t.view(2, 10, 4, 16) for t in self.qkv(x).chunk(3, -1)); return (q @ k.mT).softmax(1) @ v",
}


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_weights_that_assign(name):
    body = "\n        ".join(ASSIGNMENTS[name].split("; "))
    assert [code for _, code in reports(HEAD.format(body=body)) if code in ("DLT106", "DLT121")] == []


@pytest.mark.parametrize("name", ATTENTIONS)
def test_weights_that_sum_to_one_elsewhere(name):
    body = "\n        ".join(ATTENTIONS[name].split("; "))
    assert [code for _, code in reports(HEAD.format(body=body))] == ["DLT121"]


KERAS = """
import tensorflow as tf
from keras import Input, Model, layers, ops

x = Input((10, 64))
q, k, v = layers.Dense(32)(x), layers.Dense(32)(x), layers.Dense(32)(x)
s = {scores}
w = {softmax}
model = Model(x, {use})
"""
KERAS_SCORES = (
    "layers.Dot(axes=(2, 2))([q, k])",
    "ops.matmul(q, ops.transpose(k, (0, 2, 1)))",
    "ops.einsum('bid,bjd->bij', q, k)",
)
KERAS_SOFTMAX = ("layers.Softmax(axis={axis})(s)", "ops.softmax(s, axis={axis})")
KERAS_USES = ("layers.Dot(axes=(2, 1))([w, v])", "ops.matmul(w, v)")


@pytest.mark.parametrize("scores", KERAS_SCORES)
def test_keras(scores):
    for softmax, use, (axis, expected) in product(KERAS_SOFTMAX, KERAS_USES, ((-1, []), (1, ["DLT121"]))):
        text = KERAS.format(scores=scores, softmax=softmax.format(axis=axis), use=use)
        assert [code for _, code in reports(text)] == expected, text


IMAGES = """
from keras.datasets import cifar10
from torchvision.datasets import CIFAR10

(a, _), _ = cifar10.load_data()
b = CIFAR10(".", train=True).data
{line}
"""


@pytest.mark.parametrize("x", ["a", "b"])
def test_square_images_whose_channels_are_moved_by_a_reshape(x):
    for line in ("reshape(-1, 3, 32, 32)", "reshape(50000, 3, 32, 32)", "reshape((len({x}), 3, 32, 32))"):
        text = IMAGES.format(line=f"y = {x}.{line.format(x=x)}")
        assert [code for _, code in reports(text)] == ["DLT106"], text
    for line in ("transpose(0, 3, 1, 2)", "reshape(50000, -1)", "reshape(-1, 32, 96)", "reshape(-1, 32 * 32, 3)"):
        assert reports(IMAGES.format(line=f"y = {x}.{line}")) == []


POOLING = """
import torch
from torch import nn
from torch.nn import functional as F


class Pooling(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.out = nn.Linear(48, 1), nn.Linear(48, 5)
        self.major, self.minor = nn.GRU(64, 48, batch_first=True), nn.GRU(64, 48)

    def forward(self, x):
        {body}


Pooling()(torch.randn(2, 10, 64))
"""
WEIGHED = {
    "product": ("h, _ = self.major(x); w = {softmax}; return self.out((w * h).sum(1))", "{axis}"),
    "matrix": ("h, _ = self.major(x); w = {softmax}; return self.out(torch.bmm(w.transpose(1, 2), h).squeeze(1))", "{axis}"),
    "sum": ("h, _ = self.major(x); w = {softmax}; return self.out(torch.einsum('bto,btd->bd', w, h))", "{axis}"),
    "time first": ("h, _ = self.minor(x.transpose(0, 1)); w = {softmax}; return self.out((w * h).sum(0))", "{other}"),
}
SCORES = (
    "F.softmax(self.score(h), dim={axis})",
    "self.score(torch.tanh(h)).softmax({axis})",
    "nn.Softmax(dim={axis})(self.score(h))",
)


@pytest.mark.parametrize("name", WEIGHED)
def test_weights_of_steps(name):
    body, place = WEIGHED[name]
    for scores, axis in product(SCORES, (0, 1, 2)):
        softmax = scores.format(axis=place.format(axis=axis, other={0: 1, 1: 0}.get(axis, axis)))
        text = POOLING.format(body="\n        ".join(body.format(softmax=softmax).split("; ")))
        found = [code for _, code in reports(text)]
        assert found == ([] if axis == 1 else ["DLT121"]), text


REDUCED = (
    "h.mean({axis})",
    "h.sum(dim={axis})",
    "torch.mean(h, dim={axis})",
    "h.max({axis})[0]",
    "torch.amax(h, {axis})",
    "F.relu(h.mean({axis}))",
)


@pytest.mark.parametrize("reduced", REDUCED)
def test_steps_are_reduced_and_not_samples(reduced):
    for layer, axis, wrong in (("major", 0, True), ("major", 1, False), ("minor", 1, True), ("minor", 0, False)):
        body = f"h, _ = self.{layer}(x); return self.out({reduced.format(axis=axis)})"
        text = POOLING.format(body="\n        ".join(body.split("; ")))
        assert [code for _, code in reports(text) if code == "DLT114"] == ["DLT114"] * wrong, text


CLASSES = """
import torch
from torch import nn
from torch.nn import functional as F

scores = nn.Linear(16, 9)(torch.randn({shape}))
shares = {softmax}
{read}
"""
READS = {
    "4, 7, 16": ("shares.argmax(-1)", "torch.argmax(shares, dim=2)", "F.nll_loss(shares.view(-1, 9), torch.zeros(28).long())"),
    "28, 16": ("shares.argmax(1)", "shares.max(-1)[1]", "F.nll_loss(shares, torch.zeros(28).long())"),
}


@pytest.mark.parametrize("shape", READS)
def test_classes_are_read_where_they_are_made_comparable(shape):
    rank = shape.count(",") + 1
    for read, axis in product(READS[shape], range(rank)):
        function = "log_softmax" if "nll" in read else "softmax"
        text = CLASSES.format(shape=shape, softmax=f"F.{function}(scores, dim={axis})", read=read)
        assert [code for _, code in reports(text)] == ["DLT121"] * (axis != rank - 1), text


ROWS = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 32, 4, 2, 1), nn.LeakyReLU(), nn.Conv2d(32, 256, 4, 2))
        self.head = nn.Linear(256, 1)

    def forward(self, x):
        h = self.body(x)
        {before}
        return {result}
"""
#: The channels become the last axis behind layers that may leave one place of each image, in several spellings.
TO_ROWS = ("h.view(-1, h.size(1))", "h.reshape(-1, 256)", "torch.reshape(h, (-1, h.shape[1]))", "h.contiguous().view(-1, 256)")
#: The same with the places beside the images: there are several.
TO_PLACES = ("h.view(b, rows * columns, c)", "h.reshape(h.size(0), -1, 256)", "torch.reshape(h, (b, rows, columns, c))")
SIZES = "b, c, rows, columns = h.shape"


@pytest.mark.parametrize("result", TO_ROWS)
def test_images_of_one_place_become_rows(result):
    assert reports(ROWS.format(before=SIZES, result=f"self.head({result})")) == []


@pytest.mark.parametrize("result", TO_PLACES)
def test_channels_that_a_reshape_moves_behind_places(result):
    assert [code for _, code in reports(ROWS.format(before=SIZES, result=f"self.head({result})"))] == ["DLT106"]
