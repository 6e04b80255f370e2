"""What inputs, weights and gradients may be: the ranges that programs start from."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

HEAD = """
import keras
import numpy as np
import tensorflow as tf
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
"""


def programs(source: str):
    path = Path("data.py").absolute()
    text = HEAD + dedent(source)
    return Session(Configuration(isolated=True)).analyser(path).analyse(Document.from_text(path, text))


def range_of_last(source: str) -> str:
    """The range of the last result of the last program."""
    program = programs(source).programs[-1]
    return str(Facts(program).ranges.of(program.ops[-1].output))


def test_the_gradient_of_a_critic_may_be_zero():
    source = """
        critic = nn.Linear(4, 1)
        mixed = torch.randn(3, 4).requires_grad_(True)
        (gradient,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph={graph})
        torch.sqrt((gradient ** 2).sum(dim=1))
    """
    assert [f.code for f in programs(source.format(graph=True)).findings if f.code == "DLN104"] == ["DLN104"]
    assert [f.code for f in programs(source.format(graph=False)).findings if f.code == "DLN104"] == []


def test_the_gradient_of_a_tape_has_the_type_of_its_source():
    source = """
        x = tf.ones((2, 3))
        with tf.GradientTape() as tape:
            y = tf.keras.layers.Dense(1)(x)
        tf.abs(tape.gradient(y, x))
    """
    program = programs(source).programs[0]
    assert str(program.ops[-1].output.type.shape) == "(2, 3)"
    assert range_of_last(source) == "[0, ∞)"


def test_bytes_are_positions_and_in_torch_a_mask():
    found = programs("""
        (_, labels), _ = keras.datasets.mnist.load_data()
        np.eye(10)[labels]
    """)
    assert found.findings == []
    assert programs("torch.eye(10)[torch.zeros(7, dtype=torch.uint8)]").findings[0].code == "DLT109"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("torch.empty(3).uniform_(0.1, 0.2)", "[0.1, 0.2]"),
        ("torch.empty(3).fill_(2.0)", "[2, 2]"),
        ("torch.empty(3).zero_()", "[0, 0]"),
        ("torch.empty(3).normal_(mean=1.0, std=0.1)", "[0.1, 1.9]"),
        ("torch.empty(3).copy_(x)", "(?, ?)"),
        ("np.random.uniform(1, 2, 3)", "[1, 2]"),
        ("np.random.uniform(size=3)", "[0, 1]"),
        ("np.random.normal(0, 2, (3, 4))", "[-18, 18]"),
        ("np.random.default_rng(0).random(3)", "[0, 1]"),
        ("np.random.exponential(size=3)", "(?, ?)"),
        ("keras.initializers.RandomUniform(0.1, 0.2)((3, 3))", "[0.1, 0.2)"),
        ("keras.initializers.Constant(value=4.0)((3, 3))", "[4, 4]"),
        ("keras.initializers.Ones()((3, 3))", "[1, 1]"),
        ("keras.initializers.RandomNormal(stddev=0.1)((3, 3))", "[-0.9, 0.9]"),
        ("keras.utils.to_categorical(keras.datasets.mnist.load_data()[0][1])", "[0, 1]"),
        ("F.one_hot(torch.arange(3)).float()", "[0, 1]"),
        ("F.dropout(torch.sigmoid(torch.randn(3)), 0.5)", "[0, 2]"),
        ("nn.Embedding(4, 3)(torch.tensor([1]))", "(-∞, ∞)"),
        ("nn.Parameter(torch.rand(3))", "(-∞, ∞)"),
        ("tf.Variable(tf.ones(3))", "(-∞, ∞)"),
        ("tf.random.uniform((3,), 1, 2)", "[1, 2)"),
    ],
)
def test_where_numbers_come_from(expression, expected):
    assert range_of_last(f"x = open('data')\ny = {expression}\nabs(y) if y is None else y * 1.0") == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("transforms.ToTensor()", "[0, 1]"),
        ("transforms.PILToTensor()", "[0, 255]"),
        ("transforms.Resize(8), transforms.ToTensor(), transforms.RandomHorizontalFlip()", "[0, 1]"),
        ("transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))", "[-1, 1]"),
        ("transforms.ToTensor(), transforms.Normalize(mean=[0.5, 0.25, 0.5], std=[0.5, 0.5, 0.25])", "[-2, 2]"),
        ("transforms.ToTensor(), transforms.Normalize(MEAN, (0.5,))", "(?, ?)"),
        ("transforms.ToTensor(), transforms.GaussianNoise()", "(?, ?)"),
        ("transforms.ToTensor(), transforms.Normalize((0.5,), (0.0,))", "(?, ?)"),
    ],
)
def test_pictures_after_transforms(steps, expected):
    assert (
        range_of_last(f"""
        import sys
        MEAN = (float(sys.argv[1]),)
        data = datasets.CIFAR10(".", transform=transforms.Compose([{steps}]))
        for images, labels in DataLoader(data, batch_size=4, drop_last=True):
            images[0]
    """)
        == expected
    )


def test_a_guarded_logarithm_of_pictures_and_one_that_is_not():
    source = """
        data = datasets.MNIST(".", transform=transforms.ToTensor())
        for images, labels in DataLoader(data, batch_size=4):
            torch.log(images)
            torch.log(images + 1e-3)
    """
    assert [f.location.span.first.line - 10 for f in programs(source).findings if f.code == "DLN101"] == [3]


def test_a_product_with_one_hot_vectors_picks_one_element():
    source = """
        p = F.softmax(torch.randn(4, 5) * 1e3, dim=-1)
        hot = F.one_hot(torch.tensor([0, 1, 2, 3]), 5).float()
        {last}
    """
    picked = source.format(last="torch.sum(p * hot, dim=-1)")
    assert range_of_last(picked) == "[0, 1]"
    assert programs(picked + "    torch.log(torch.sum(p * hot, dim=1))").findings[0].code == "DLN101"
    assert range_of_last(source.format(last="torch.sum(p + hot, dim=-1)")) == "[1, 6]"
    assert range_of_last(source.format(last="torch.sum(hot * (p + 1), dim=0)")) == "[0, 2]"


MEAN = """
    class Focal(keras.losses.Loss):
        def call(self, y_true, y_pred):
            p = keras.ops.sigmoid(y_pred)
            return keras.ops.log({argument})
"""


@pytest.mark.parametrize(
    ("argument", "reported"),
    [
        ("y_true * p + (1 - y_true) * (1 - p)", True),
        ("(1.0 - p) * (1.0 - y_true) + p * y_true", True),
        ("y_true * (p + 1e-3) + (1 - y_true) * (1.01 - p)", False),
        ("y_true * p + (2 - y_true) * (1 - p)", False),
        ("y_true * p + y_true * (1 - p)", False),
    ],
)
def test_a_mean_weighted_by_labels_reaches_what_its_parts_reach(argument, reported):
    found = [f.code for f in programs(MEAN.format(argument=argument)).findings if f.severity.value in ("warning", "error")]
    assert found == (["DLN101"] if reported else [])
