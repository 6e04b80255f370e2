"""An argmax along the first axis is along the samples only where that axis is theirs: not after it was indexed away, nor after
classes were moved to the front."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

TORCH = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 81)

    def forward(self, x):
        scores = self.head(x)
        scores = {steps}
        return self.choose(scores)

    def choose(self, scores):
        return scores.argmax(0)


Net()(torch.randn({shape}))
"""
TENSORFLOW = """import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = keras.layers.Dense(81)

    def call(self, x):
        scores = self.head(x)
        scores = {steps}
        return self.choose(scores)

    def choose(self, scores):
        return tf.argmax(scores, axis=0)


Net()(tf.zeros(({shape})))
"""
ROWS, SEQUENCES = "32, 8", "4, 100, 8"
OTHERS = [
    (TORCH, SEQUENCES, "scores.transpose(1, 2)[0]"),
    (TORCH, SEQUENCES, "scores.softmax(-1).permute(0, 2, 1).contiguous()[2, 1:]"),
    (TORCH, SEQUENCES, "scores.permute(2, 0, 1)[:, 0]"),
    (TORCH, SEQUENCES, "scores.log_softmax(-1)[0]"),
    (TORCH, SEQUENCES, "scores[:1].squeeze(0).t()"),
    (TORCH, ROWS, "scores.t()"),
    (TORCH, ROWS, "scores.softmax(1).T"),
    (TORCH, ROWS, "scores.transpose(0, 1).softmax(0)"),
    (TORCH, ROWS, "scores.softmax(0)"),
    (TENSORFLOW, SEQUENCES, "tf.transpose(tf.nn.softmax(scores, axis=-1), perm=[0, 2, 1])[0, 1:]"),
    (TENSORFLOW, SEQUENCES, "tf.transpose(scores, perm=[0, 2, 1])[3]"),
    (TENSORFLOW, ROWS, "tf.transpose(tf.nn.softmax(scores))"),
]
SAMPLES = [
    (TORCH, ROWS, "scores"),
    (TORCH, ROWS, "scores.contiguous().softmax(-1)"),
    (TORCH, ROWS, "scores.log_softmax(1)[2:]"),
    (TORCH, ROWS, "scores.t().t()"),
    (TORCH, SEQUENCES, "scores[:, -1]"),
    (TORCH, SEQUENCES, "scores.transpose(1, 2)[:, :, 0]"),
    (TENSORFLOW, ROWS, "tf.nn.softmax(scores)"),
    (TENSORFLOW, SEQUENCES, "scores[:, 0]"),
]


def _is_told(program: str, shape: str, steps: str) -> bool:
    return "DLT120" in {finding.code for finding in findings(program.format(steps=steps, shape=shape))}


@pytest.mark.parametrize(("program", "shape", "steps"), OTHERS)
def test_other_axes(program: str, shape: str, steps: str) -> None:
    assert not _is_told(program, shape, steps)


@pytest.mark.parametrize(("program", "shape", "steps"), SAMPLES)
def test_samples(program: str, shape: str, steps: str) -> None:
    assert _is_told(program, shape, steps)
