"""A layer whose window is given for another number of axes than it has is told where it is called, and nothing is claimed of
what it gives: the code was written for the rank of the window, or for that of the layer."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

SIZES = {1: "(100,)", 2: "(20, 30)", 3: "(10, 20, 30)"}
CONVOLUTIONS = (
    "Conv{n}d(4, 4, kernel_size={window})",
    "ConvTranspose{n}d(4, 4, {window})",
    "Conv{n}d(4, 4, 3, dilation={window})",
)
POOLS = ("MaxPool{n}d({window})", "AvgPool{n}d({window}, 2)", "MaxPool{n}d(3, stride={window})")
NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = {layer}
        self.second = nn.Conv{rank}d(4, 3, 1)

    def forward(self, x):
        y = torch.tanh({call}).contiguous()
        return self.second(y) + x.mean(), y.transpose(1, {last}), torch.cat([y, x * 2], 0)

Net()(torch.zeros(2, 4, *{sizes}))
"""
CALLS = {"direct": "self.first(x)", "in a helper": "(lambda f, v: f(v))(self.first, x)"}


def faults(text: str) -> list[tuple[str, str]]:
    return [(op.kind, fault.kind) for program in lower(text).programs for op in program.ops for fault in op.faults]


@pytest.mark.parametrize("layer", [*CONVOLUTIONS, *POOLS])
@pytest.mark.parametrize(("axes", "rank"), [pair for pair in itertools.permutations((1, 2, 3), 2) if pair[1] > 1])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_only_the_layer_is_told(layer, axes, rank, call):
    built = "nn." + layer.format(n=axes, window=(2,) * rank)
    text = NET.format(layer=built, rank=rank, call=call, last=rank + 1, sizes=SIZES[rank])
    (where, what), (_, called) = faults(text)
    assert (where, what, called) == ("unusable", "argument", "argument")


@pytest.mark.parametrize("layer", [*CONVOLUTIONS, *POOLS])
@pytest.mark.parametrize("axes", [1, 2, 3])
def test_a_window_of_the_layers_rank_is_followed(layer, axes):
    built = "nn." + layer.format(n=axes, window=(2,) * axes)
    wrong = f"import torch\nfrom torch import nn\ny = {built}(torch.zeros(2, 4, *{SIZES[axes]}))\nnn.Linear(1000, 2)(y)\n"
    assert faults(wrong) == [("linear", "feature-size")]
