"""How often something is done is a number of the program; whatever it is, the analysis goes on behind it."""

from __future__ import annotations

import pytest

from tests.security.confined import confined, told

HEAD = """\
import collections
import itertools
import numpy as np
import torch
from torch import nn
import tensorflow as tf
from tensorflow.contrib import slim

x = torch.zeros(4, 6)
t = tf.zeros((2, 3))
"""
#: ``{n}`` is the number.
DONE = (
    "slim.repeat(t, {n}, slim.fully_connected, 3)",
    "[1] * {n}",
    "[1] * -({n})",
    "list(collections.Counter({{'a': {n}, 'b': 2}}).elements())",
    "itertools.tee([1, 2], {n})",
    "list(itertools.product([1, 2], repeat={n}))",
    "list(itertools.product([1, 2], repeat=-({n})))",
    "list(itertools.combinations([1, 2], {n}))",
    "list(itertools.combinations_with_replacement([1, 2], {n}))",
    "list(itertools.permutations([1, 2], {n}))",
    "list(itertools.repeat(1, {n}))",
    "list(itertools.islice(itertools.count(), {n}))",
    "nn.LSTM(6, 4, num_layers={n})(x)",
    "nn.ModuleList([nn.Linear(2, 2)] * ({n}))",
    "nn.Sequential(*[nn.Linear(2, 2) for _ in range({n})])",
    "x.chunk({n})",
    "x.split({n})",
    "tf.split(t, {n})",
    "tf.unstack(tf.zeros(({n}, 2)))",
    "torch.stack([x] * ({n}))",
    "torch.nn.functional.pad(x, (1,) * ({n}))",
    "x.repeat({n}, {n})",
    "np.array_split(np.zeros(3), {n})",
    "range({n})[::2].index(4)",
    "collections.deque(range({n}), maxlen={n})",
    "sum([x] * ({n}))",
)
NUMBERS = ("10**9", "2**63", "2**70", "-1", "0", "True", "10**400")
FRAMES = ("y = {done}\n", "def f(k):\n    return [{done} for _ in range(k)]\n\n\nf(2)\n")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("frame", FRAMES, ids=["plain", "function"])
@pytest.mark.parametrize("done", DONE)
def test_any_number_of_times(tmp_path, done, frame):
    """All numbers in one file, each in a function of its own, so that what raises ends nothing else."""
    for number, n in enumerate(NUMBERS):
        text = f"try:\n    {done.format(n=n)}\nexcept Exception:\n    pass\n{frame.format(done=done.format(n=n))}"
        path = tmp_path / f"a{number}.py"
        path.write_text(f"{HEAD}torch.ones(3).view(7)\n{text}")
    found = told(confined(tmp_path, "check", "-n", "-j", "1", "--output-format", "concise", ".", seconds=60, memory=2**30))
    assert found.count("DLT105") >= len(NUMBERS)
