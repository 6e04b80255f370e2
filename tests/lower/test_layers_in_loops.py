"""A layer whose configuration is written in a loop stays a layer: what differs from pass to pass is not known."""

from __future__ import annotations

import pytest

from tests.lower.tracing import ops

_CHANGES = {
    "attribute": "layer.padding = (i, i)",
    "another attribute": "layer.stride = layer.stride if i else 2",
    "constructor": "layer.__init__(1, i + 2, 3)",
    "weights": "layer.weight = torch.nn.Parameter(torch.zeros(i + 2, 1, 3, 3))",
    "element type": "layer.to([torch.float32, torch.float64][i % 2])",
    "in a helper": "change(layer, i)",
}
_LOOPS = {
    "known": "for i in range(3):",
    "many": "for i in range(5000):",
    "unknown": "for i in loader:",
    "while": "i = 0\nwhile more(i):",
}


@pytest.mark.parametrize("loop", _LOOPS)
@pytest.mark.parametrize("change", _CHANGES)
def test_a_layer_that_a_loop_changes_can_still_be_called(loop: str, change: str):
    head = _LOOPS[loop].replace("\n", "\n    ")
    found = ops(
        f"""
import torch

def change(layer, i):
    layer.padding = i

def entry(loader, more):
    layer = torch.nn.Conv2d(1, 2, 3)
    {head}
        {_CHANGES[change]}
    layer.dilation = 1
    return layer(torch.zeros(4, 1, 9, 9))
""",
        "conv",
    )
    assert found
    for op in found:
        assert op.outputs[0].type.rank in (4, None)
