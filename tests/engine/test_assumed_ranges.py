"""What inputs, weights and gradients may be: the ranges that programs start from."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

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
