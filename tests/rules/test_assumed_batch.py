"""A batch axis that nothing shows is no evidence where the code adds one itself."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

#: A layer that takes tensors with and without a batch axis → the axes with it.
LAYERS = {
    "nn.Conv1d(3, 4, 3)": 3,
    "nn.Conv2d(3, 4, 3)": 4,
    "nn.Conv3d(3, 4, 3)": 5,
    "nn.AvgPool2d(kernel_size=2)": 4,
    "nn.MaxPool2d(2)": 4,
    "nn.AdaptiveAvgPool2d(8)": 4,
    "nn.ConvTranspose2d(3, 4, 3)": 4,
}
BATCHES = {
    "unsqueeze": "y.unsqueeze(0)",
    "function": "torch.unsqueeze(y, dim=0)",
    "index": "y[None]",
    "behind others": "torch.relu(y).contiguous()[None, ...]",
    "helper": "batched(y)",
}
MODES = {3: "linear", 4: "bilinear", 5: "trilinear"}
PLACES = {
    "script": "y = {layer}({x})\nz = F.interpolate({batch}, scale_factor=2, mode={mode!r})\n",
    "function": "def enlarge(x):\n    y = {layer}(x)\n    return F.interpolate({batch}, scale_factor=2, mode={mode!r})\n",
    "module": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.first = {layer}\n\n"
        "    def forward(self, x):\n        y = self.first(x)\n"
        "        return F.interpolate({batch}, scale_factor=2, mode={mode!r})\n"
    ),
}
HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from images import read


def batched(x):
    return x.unsqueeze(0)


"""


def ranks(text: str) -> list[str]:
    """The codes of findings about the number of axes."""
    return [found.code for found in findings(text) if found.code == "DLT102"]


@pytest.mark.parametrize(("layer", "batch", "place"), list(itertools.product(LAYERS, BATCHES, PLACES)))
def test_a_tensor_that_gets_its_batch_axis_later_has_none_before(layer, batch, place):
    filled = {"layer": layer, "batch": BATCHES[batch], "mode": MODES[LAYERS[layer]], "x": "torch.from_numpy(read())"}
    assert not ranks(HEAD + PLACES[place].format(**filled))


@pytest.mark.parametrize(("layer", "batch"), list(itertools.product(LAYERS, BATCHES)))
def test_a_batch_axis_that_is_there_makes_one_too_many(layer, batch):
    axes = LAYERS[layer]
    data = f"torch.randn({', '.join(['2', '3', *['16'] * (axes - 2)])})"
    filled = {"layer": layer, "batch": BATCHES[batch], "mode": MODES[axes], "x": data}
    assert ranks(HEAD + PLACES["script"].format(**filled))


@pytest.mark.parametrize("layer", LAYERS)
def test_two_axes_too_many_are_told(layer):
    filled = {"layer": layer, "batch": "y[None, None]", "mode": MODES[LAYERS[layer]], "x": "torch.from_numpy(read())"}
    assert ranks(HEAD + PLACES["script"].format(**filled))
