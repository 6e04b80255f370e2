"""What a part of a tensor holds: the numbers of the whole are not those of a part that is chosen by what its elements are, nor
those of a slice of a literal or of a count."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from tests.rules.harness import reports

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n\ndef small(x):\n    return x < 5\n\n\n"
DRAWN = "labels = torch.randint(0, 10, (64,))\n"
#: Ways of keeping the labels that are less than 5.
CHOSEN = (
    "labels[labels < 5]",
    "labels[(labels >= 0) & (labels < 5)]",
    "labels[~(labels > 4)]",
    "labels[torch.where(labels < 5)]",
    "labels[torch.where(labels < 5)[0]]",
    "labels[torch.nonzero(labels < 5)[:, 0]]",
    "labels[torch.nonzero(labels < 5, as_tuple=True)]",
    "labels[torch.nonzero(labels < 5).squeeze(1)]",
    "labels[torch.arange(64)[labels < 5]]",
    "labels[torch.isin(labels, torch.arange(5))]",
    "labels[labels < 5].clone().long()",
    "torch.masked_select(labels, labels < 5)",
    "labels[small(labels)]",
    "labels % 5",
    "(labels % 5) % 10",
)
#: Parts of literals and counts that stay below 5.
SLICED = (
    "torch.tensor([0, 4, 9])[:2]",
    "torch.tensor([[0, 4], [9, 8]])[0]",
    "torch.tensor([9, 4, 0])[1:].clone()",
    "torch.tensor([9, 4, 0, 3])[1::2]",
    "torch.arange(20)[:5]",
    "torch.arange(20).reshape(4, 5)[0]",
    "torch.arange(20).split(5)[0]",
    "torch.arange(20).chunk(4)[0]",
    "torch.arange(20).reshape(4, 5).unbind()[0]",
    "torch.arange(20).expand(2, -1)[:, :5].flatten()",
    "torch.arange(3) % 10",
)
USES = (
    "nn.Embedding(5, 3)(kept)",
    "F.cross_entropy(torch.randn(len(kept), 5), kept)",
    "nn.CrossEntropyLoss()(torch.randn(len(kept), 5), kept)",
)
FORMS = (
    "{head}{drawn}kept = {chosen}\n{use}\n",
    "{head}def keep(labels):\n    return {chosen}\n\n\nkept = keep(torch.randint(0, 10, (64,)))\n{use}\n",
)
PARTS = {form.format(head=HEAD, drawn=DRAWN, chosen=chosen, use=use)
         for form, chosen, use in product(FORMS, CHOSEN + SLICED, USES)}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("text", sorted(PARTS))
def test_a_part_does_not_reach_what_the_whole_does(text):
    exec(compile(text, "part", "exec"), {})
    assert not [found for found in reports(text) if found[1] in ("DLT112", "DLT116", "DLD116")]


#: Parts that still reach beyond.
REACHING = (
    "labels[:32]",
    "labels[torch.randperm(64)]",
    "labels[torch.randperm(64)[:32]].long()",
    "labels.reshape(8, 8)[:, 0]",
    "torch.tensor([0, 4, 9])[1:]",
    "torch.tensor([[0, 4], [9, 8]])[1]",
    "torch.tensor([9, 4, 0])[0:1]",
)


@pytest.mark.parametrize("text", [HEAD + DRAWN + f"kept = {part}\n{use}\n" for part, use in product(REACHING, USES)])
def test_a_part_that_reaches_beyond_is_told(text):
    torch.manual_seed(0)
    with pytest.raises(IndexError):
        exec(compile(text, "part", "exec"), {})
    assert [found for found in reports(text) if found[1] in ("DLT112", "DLT116", "DLD116")]


KERAS = """\
import numpy as np
from keras.datasets import mnist
from keras.layers import Dense, Input
from keras.models import Sequential

(images, digits), _ = mnist.load_data()
{keep}
model = Sequential([Input((784,)), Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam")
model.fit(images.reshape(-1, 784), digits)
"""
KEPT = (
    "chosen = digits < 2\nimages, digits = images[chosen], digits[chosen]",
    "chosen = (digits == 0) | (digits == 1)\nimages, digits = images[chosen], digits[chosen]",
    "chosen = np.where(digits < 2)[0]\nimages, digits = images[chosen], digits[chosen]",
    "chosen = np.isin(digits, [0, 1])\nimages, digits = images[chosen], digits[chosen]",
)


@pytest.mark.parametrize("keep", KEPT)
def test_two_digits_are_two_classes(keep):
    assert not [found for found in reports(KERAS.format(keep=keep)) if found[1] == "DLT112"]


def test_all_digits_are_more_than_two_classes():
    text = KERAS.format(keep="order = np.random.permutation(60000)\nimages, digits = images[order], digits[order]")
    assert [found for found in reports(text) if found[1] == "DLT112"]


ADAPTIVE = """
import tensorflow as tf
import torch


class Adaptive:
    def __init__(self, cutoffs):
        self.ends = [0, *cutoffs]
        self.tables = [{table} for start, end in zip(self.ends, self.ends[1:])]

    def __call__(self, ids):
        flat = {flat}
        parts = []
        for i, table in enumerate(self.tables):
            start, end = self.ends[i], self.ends[i + 1]
            mask = {mask}
            parts.append(table({part} - start))
        return parts


parts = Adaptive([200, 400, 600])({ids})
"""
TORCH = {"table": "torch.nn.Embedding(end - start, 8)", "flat": "ids.reshape(-1)"}
TENSORFLOW = {"table": "tf.keras.layers.Embedding(end - start, 8)", "flat": "tf.reshape(ids, (-1,))"}
MASKS = ("(flat >= start) & (flat < end)", "~((flat < start) | (flat >= end))")
CLUSTERS = [
    *({**TORCH, "mask": mask, "part": part, "ids": ids} for mask, part, ids in product(
        MASKS,
        ("flat[mask]", "torch.masked_select(flat, mask)", "flat[mask.nonzero().squeeze(1)]", "flat[torch.where(mask)[0]]"),
        ("torch.tensor([[1, 2, 300]])", "torch.randint(0, 600, (4, 16))", "torch.tensor([0, 7])"))),
    *({**TENSORFLOW, "mask": mask, "part": "tf.boolean_mask(flat, mask)", "ids": ids} for mask, ids in product(
        MASKS, ("tf.constant([[1, 2, 300]])", "tf.constant([0, 7])", "tf.random.uniform((4, 16), 0, 600, dtype=tf.int32)"))),
]  # fmt: skip


@pytest.mark.parametrize("parts", CLUSTERS)
def test_every_cluster_gets_its_own_indices(parts):
    text = ADAPTIVE.format(**parts)
    assert [found for found in reports(text) if found[1] in ("DLT112", "DLT116", "DLD116")] == []


LOADED = """
import torch
from sklearn.datasets import load_iris, load_wine
from torch import nn
from torch.nn import functional as F

data = {loader}()
x, y = {part}
loss = F.cross_entropy(nn.Linear({width}, 2)(torch.tensor(x).float()), torch.tensor(y))
"""
#: Parts of rows in the order of their classes that hold the first two of three.
TWO = (
    "data.data[:100], data.target[:100]",
    "data.data[data.target != 2], data.target[data.target != 2]",
    "data.data[data.target < 2], data.target[data.target < 2]",
    "data.data[0:50], data.target[0:50]",
)


@pytest.mark.parametrize(("part", "loader"), list(product(TWO, (("load_iris", 4), ("load_wine", 13)))))
def test_rows_in_the_order_of_their_classes(part, loader):
    text = LOADED.format(loader=loader[0], width=loader[1], part=part)
    exec(compile(text, "loaded", "exec"), {})
    assert [found for found in reports(text) if found[1] in ("DLT112", "DLD116")] == []


@pytest.mark.parametrize("loader", [("load_iris", 4), ("load_wine", 13)])
def test_all_rows_have_all_classes(loader):
    text = LOADED.format(loader=loader[0], width=loader[1], part="data.data, data.target")
    assert [found for found in reports(text) if found[1] in ("DLT112", "DLD116")]


IMAGES = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Subset, random_split
from torchvision import datasets, transforms

digits = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
{kept}
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 2))
for x, y in DataLoader(digits, batch_size=32):
    loss = F.cross_entropy(model(x), y)
"""
FILTERED = (
    "kept = digits.targets < 2\ndigits.data, digits.targets = digits.data[kept], digits.targets[kept]",
    "kept = (digits.targets == 3) | (digits.targets == 7)\ndigits.data = digits.data[kept]\n"
    "digits.targets = (digits.targets[kept] == 7).long()",
    "digits.targets = (digits.targets > 4).long()",
    "digits = Subset(digits, [i for i, label in enumerate(digits.targets) if label < 2])",
    "digits = Subset(digits, torch.where(digits.targets < 2)[0])",
    "digits = Subset(digits, (digits.targets < 2).nonzero().squeeze())",
    "digits = Subset(Subset(digits, torch.where(digits.targets < 2)[0]), range(100))",
)


@pytest.mark.parametrize("kept", FILTERED)
def test_a_filtered_data_set_has_fewer_classes(kept):
    assert [found for found in reports(IMAGES.format(kept=kept)) if found[1] in ("DLT112", "DLD116")] == []


@pytest.mark.parametrize(
    "kept",
    ["", "digits = Subset(digits, range(1000))", "digits = Subset(digits, list(range(1000)))",
     "digits = Subset(digits, torch.randperm(60000)[:1000])", "digits, _ = random_split(digits, [50000, 10000])"],
)  # fmt: skip
def test_any_samples_have_all_classes(kept):
    assert [found for found in reports(IMAGES.format(kept=kept)) if found[1] == "DLT112"]
