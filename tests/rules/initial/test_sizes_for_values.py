"""Tensors that their class makes of one number, and what is computed with them before anything is written."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

START = "import numpy as np\nimport torch\nfrom torch import Tensor, nn\n\nvalue, n = 4, 3\n"
MODULE = """
class Scaled(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.register_buffer("scale", {made})

    def forward(self, x):
        return x / self.scale


Scaled(start=4)(torch.randn(2, 4))
"""
CLASSES = ("torch.Tensor", "torch.FloatTensor", "Tensor", "torch.cuda.FloatTensor", "torch.DoubleTensor")
READS = (
    "x = {0}(value)\ny = torch.randn(4) * x", "x = {0}(4)\nprint(x.sum())", "x = {0}(value)[1:]\ny = 1 - x",
    "def scaled(y, by):\n    return y / by\n\n\nscaled(torch.randn(4), {0}(value))", MODULE.replace("{made}", "{0}(start)"),
)  # fmt: skip
SOUND = (
    "x = torch.tensor(value)\ny = x * 2", "x = torch.Tensor([value])\ny = x * 2", "x = torch.Tensor(n).fill_(1)\ny = x * 2",
    "x = torch.Tensor(n)\nx[:] = 1\ny = x * 2", "x = torch.Tensor(n)\nnn.init.ones_(x)\ny = x * 2",
    "x = torch.Tensor(n)\nfor i in range(n):\n    x[i] = i\ny = x * 2", "x = torch.Tensor(n)\ny = torch.zeros_like(x)",
    "x = torch.Tensor(n)\ntorch.add(torch.ones(3), 1, out=x)\ny = x * 2", "x = torch.Tensor(np.ones(3))\ny = x * 2",
    "x = torch.Tensor(0)\ny = x.sum()", "x = torch.Tensor(2, 3)\ny = nn.Linear(3, 1)(x)",
    "x = torch.Tensor(n).uniform_()\ny = x * 2", "x = torch.Tensor(torch.Size([2, 3]))\ny = x * 2",
)  # fmt: skip


def told(text: str) -> bool:
    """Whether the rule tells of a program."""
    return "DLI102" in {code for _, code in reports(START + text + "\n")}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("name", "read"), list(product(CLASSES, READS)))
def test_what_is_read_unwritten(name: str, read: str) -> None:
    assert told(read.replace("{0}", name))


@pytest.mark.parametrize("text", SOUND)
def test_what_is_written_or_made_of_values(text: str) -> None:
    assert not told(text)
