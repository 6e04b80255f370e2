"""The root of the mean squared deviation from the own mean reaches 0 only where all is alike: no pair of points that coincide.
The distance between two tensors stays a warning, also where one of them is a mean of something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

MEANS = {
    "torch": ["x.mean(dim=(2, 3), keepdim=True)", "torch.mean(x, dim=[2, 3], keepdim=True)", "x.mean((2, 3))[:, :, None, None]",
              "x.flatten(2).mean(2).view(x.size(0), -1, 1, 1)"],
    "tensorflow": ["tf.reduce_mean(x, axis=[2, 3], keepdims=True)", "tf.reduce_mean(x, axis=(2, 3))[:, :, None, None]"],
}  # fmt: skip
OTHERS = {
    "torch": ["z", "z.mean(dim=(2, 3), keepdim=True)", "torch.mean(z, dim=0)"],
    "tensorflow": ["z", "tf.reduce_mean(z, axis=[2, 3], keepdims=True)"],
}
ROOTS = {
    "torch": ["torch.sqrt(torch.mean((x - m) ** 2, dim=[2, 3]))", "((m - x).pow(2).sum((2, 3))).sqrt()"],
    "tensorflow": [
        "tf.sqrt(tf.reduce_mean((x - m) ** 2, axis=[2, 3]))",
        "tf.sqrt(tf.reduce_sum(tf.square(m - x), axis=[2, 3]))",
    ],
}
PLAIN = "{root}"
HELPER = "spread(x, m)"
PROGRAMS = {
    "torch": """
import torch
from torch import nn

def spread(x, m):
    return {root}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.other = nn.Conv2d(3, 8, 3)

    def forward(self, image):
        x = self.conv(image)
        z = self.other(image)
        m = {mean}
        return {use}

net = Net()
net(torch.randn(2, 3, 9, 9)).sum().backward()
""",
    "tensorflow": """
import tensorflow as tf

def spread(x, m):
    return {root}

w = tf.Variable(tf.random.normal([2, 8, 7, 7]))
u = tf.Variable(tf.random.normal([2, 8, 7, 7]))
with tf.GradientTape() as tape:
    x = w * 2.0
    z = u * 2.0
    m = {mean}
    loss = tf.reduce_sum({use})
grads = tape.gradient(loss, [w, u])
""",
}


def _cases(means):
    return [
        (library, mean, root, use)
        for library in means
        for mean in means[library]
        for root in ROOTS[library]
        for use in (PLAIN, HELPER)
    ]


def _warned(library: str, mean: str, root: str, use: str) -> bool:
    text = PROGRAMS[library].format(mean=mean, root=root, use=use.format(root=root))
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/a.py"), text.encode())
    return any(finding.code == "DLN104" and finding.severity.value == "warning" for finding in result.findings)


@pytest.mark.parametrize(("library", "mean", "root", "use"), _cases(MEANS))
def test_the_spread_of_a_tensor(library, mean, root, use):
    assert not _warned(library, mean, root, use)


@pytest.mark.parametrize(("library", "mean", "root", "use"), _cases(OTHERS))
def test_the_distance_of_two(library, mean, root, use):
    assert _warned(library, mean, root, use)
