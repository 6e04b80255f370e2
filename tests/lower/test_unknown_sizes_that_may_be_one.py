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


POOLED = {
    "a window that is given": "F.max_pool1d(x, self.points)",
    "a layer that is given its window": "nn.MaxPool1d(self.points)(x)",
    "an average": "F.avg_pool1d(x, self.points)",
    "strided": "F.max_pool1d(x, 64, stride=64)",
    "cut": "x[:, :, :: self.points]",
    "from there on": "x[:, :, self.points :]",
}
SQUEEZED = ("{}.squeeze({axis})", "torch.squeeze({}, {axis})", "{}.contiguous().squeeze(dim={axis})", "{}.squeeze()")
POOLING = """
import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self, points=2000):
        super().__init__()
        self.points = points
        self.features = nn.Conv1d(3, 1024, 1)
        self.mlp = nn.Sequential(nn.Linear(1024, 512), nn.BatchNorm1d(512), nn.ReLU(), nn.Linear(512, 9))
    def forward(self, x):
        x = self.features(x)
        x = {}
        return torch.bmm(self.mlp(x).view(-1, 3, 3), torch.zeros(x.size(0), 3, 5))
"""


@pytest.mark.parametrize("axis", [2, -1])
@pytest.mark.parametrize("squeezed", SQUEEZED)
@pytest.mark.parametrize("pooled", POOLED)
def test_what_is_computed_may_be_one(pooled: str, squeezed: str, axis: int) -> None:
    source = POOLING.format(squeezed.format(POOLED[pooled], axis=axis))
    assert [op.faults for program in lower(source).programs for op in program.ops if op.faults] == []


@pytest.mark.parametrize("axis", [1, -1, 3, -3])
@pytest.mark.parametrize("squeezed", SQUEEZED[:3])
def test_an_axis_that_is_named_is_taken_for_one(squeezed: str, axis: int) -> None:
    source = f"""
import torch

def attend(target, other, keys):
    batch, _, height, _ = target.size()
    whole = {squeezed.format("(target + other)", axis=axis)}
    return torch.bmm(whole.transpose(1, 2), keys)
"""
    assert [op.faults for program in lower(source).programs for op in program.ops if op.faults] == []


@pytest.mark.parametrize("features", ["features", "features // 2", "max(features, 1)"])
def test_features_that_are_asked_for_may_be_one(features: str) -> None:
    source = f"""
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.fc = nn.Linear(16, {features})
        self.lstm = nn.LSTM(8, 4)
    def forward(self, x):
        return torch.bmm(self.fc(x.view(-1, 4, 16)).squeeze()[None], x)
"""
    assert [op.faults for program in lower(source).programs for op in program.ops if op.faults] == []


def test_sizes_that_are_not_one_stay() -> None:
    source = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 1024, 1)
        self.fc = nn.BatchNorm2d(1024)
    def forward(self, x):
        return self.fc(self.conv(x).squeeze(1))
"""
    assert [op.kind for program in lower(source).programs for op in program.ops if op.faults] == ["batch_norm"]
