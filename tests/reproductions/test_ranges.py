"""The ranges that were claimed wrongly: what the libraries compute lies in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.domains.interval import Interval
from dllint.engine.session import Session
from dllint.ir.program import TensorVal
from dllint.source.document import Document

os.environ.setdefault("KERAS_BACKEND", "torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
PATH = Path("/snippet/ranges.py")
TORCH = (
    "torch.full((3,), 0.5, dtype=torch.int64)", "torch.zeros(2, dtype=torch.int64).fill_(1.5)", "torch.rand(6, 2).argsort(-2)",
    "torch.rand(2, 3, 5).argsort(1)", "torch.argsort(torch.rand(6, 2), 0, True)", "torch.tensor([1e-46, 1.0])",
    "F.alpha_dropout(torch.rand(999), 0.5, True)", "nn.AlphaDropout(0.2)(torch.ones(999))",
    "F.feature_alpha_dropout(torch.rand(99, 9), 0.3, True)", "F.rrelu(torch.full((3,), -9.0))",
    "nn.RReLU(0.3, 0.9)(torch.full((99,), -9.0))", "torch.add(torch.zeros(3), 1, out=torch.zeros(3))",
    "torch.tensor(torch.zeros(1, 3).normal_().tolist())", "F.conv2d(torch.ones(1, 3, 8, 8), torch.ones(2, 3, 3, 3), padding=1)",
)  # fmt: skip
OTHERS = (
    "np.dot(np.full((6, 2), 1.5), np.mean(np.full((2,), 1.5)))", "np.dot(2.5, np.full((6, 2), 1.5))",
    "np.dot(np.full((6, 2), 1.5), np.full((2,), 1.5))", "tf.nn.conv2d(tf.ones((1, 8, 8, 3)), tf.ones((3, 3, 3, 2)), 1, 'SAME')",
    "tf.nn.conv1d(tf.ones((1, 8, 3)), tf.ones((2, 3, 5)), 1, 'VALID')",
    "keras.ops.conv(np.ones((1, 8, 8, 3)), np.ones((3, 3, 3, 2)), 1, 'same')",
    "keras.layers.AlphaDropout(0.4)(np.ones((9, 99)), training=True)",
    "keras.layers.GaussianDropout(0.4)(np.ones((9, 99)), training=True)",
    "keras.layers.Dropout(0.4)(np.ones((9, 99)), training=True)",
)  # fmt: skip
HEADS = {
    **dict.fromkeys(TORCH, "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"),
    **dict.fromkeys(OTHERS, "import keras\nimport numpy as np\nimport tensorflow as tf\n"),
}


def claimed(text: str) -> Interval:
    """The range of what the last operation of a text gives."""
    program = Session(Configuration(isolated=True)).analyser(PATH).analyse(Document.from_text(PATH, text)).programs[0]
    last = [op for op in program.ops if op.outputs][-1].output
    assert isinstance(last, TensorVal)
    return Facts(program).ranges.of(last)


@pytest.mark.parametrize("formula", HEADS)
def test_a_claimed_range_holds_what_is_computed(formula: str) -> None:
    numpy = pytest.importorskip("numpy")
    text, names = f"{HEADS[formula]}z = {formula}\n", dict[str, Any]()
    for library in ("torch", "keras", "tensorflow"):
        if f"import {library}" in text:
            pytest.importorskip(library)
    exec(text, names)
    found = claimed(text)
    numbers = numpy.asarray(names["z"], dtype=float)
    assert found.low.value <= numbers.min()
    assert numbers.max() <= found.high.value
