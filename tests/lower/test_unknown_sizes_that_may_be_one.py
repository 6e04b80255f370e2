"""``squeeze()`` of sizes that are known by their use alone: they may be 1, so the rank of the result is not known."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

HEAD = "import numpy as np\nimport torch\nfrom torch import nn\nfrom elsewhere import load\n\nnet = nn.Conv2d(8, 3, 3)\n"
READ = {
    "sizes": "n, c = x.shape[1], x.shape[4]\nx = torch.moveaxis(x, 4, 2)\n"
    "x = x.reshape(x.shape[0], n * c, x.shape[3], x.shape[4])",
    "unpacked": "b, n, h, w, c = x.shape\nx = x.permute(0, 1, 4, 2, 3).reshape(b, n * c, h, w)",
    "demanded": "x = nn.Conv2d(4, 8, 3)(x)",
}
MADE = ("torch.from_numpy(np.expand_dims(load(), 0)).float()", "torch.as_tensor(load())", "load()")


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("read", READ)
def test_a_rank_after_squeeze_is_not_proved(read: str, made: str) -> None:
    source = f"{HEAD}x = {made}\n{READ[read]}\nrows = torch.stack([x, x, x]).squeeze()\ny = net(torch.unsqueeze(rows[0], 0))\n"
    assert [op.faults for program in lower(source).programs for op in program.ops if op.faults] == []


def test_the_batch_of_a_model_is_larger() -> None:
    source = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 512, 3), nn.AdaptiveAvgPool2d(1))
        self.fc = nn.Linear(500, 10)
    def forward(self, x):
        return self.fc(self.features(x).squeeze())
"""
    assert [op.kind for program in lower(source).programs for op in program.ops if op.faults] == ["linear"]
