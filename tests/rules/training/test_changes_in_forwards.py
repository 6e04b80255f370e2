"""Changes in place, in the ``forward`` of a module, of what its gradients need, in a file that trains."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLO118"
TEXT = """import torch
from torch import nn
import torch.nn.functional as F

class {name}(nn.Module):
    def __init__(self, size, classes):
        super().__init__()
        self.first, self.second, self.act = nn.Linear(size, 16), nn.Linear(16, classes), nn.ReLU()

    def forward(self, x):
        h = {made}
        {change}
        return self.second(h)

def fit(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        {trains}
        optimizer.step()
"""
TRAINS = "F.cross_entropy(model(x), y).backward()"
KEPT = ("torch.sigmoid(self.first(x))", "self.act(self.first(x))", "F.relu(self.first(x)).contiguous()", "self.first(x).tanh()")
CHANGES = ("h += 1", "h.mul_(2)", "h.view(-1).add_(1)", "h = h.clamp_(0, 1)")


@pytest.mark.parametrize("made", KEPT)
@pytest.mark.parametrize("change", CHANGES)
def test_changes_of_what_is_kept_are_told(made: str, change: str, tmp_path: Path):
    for name in ("Net", "Head"):
        text = TEXT.format(name=name, made=made, change=change, trains=TRAINS)
        assert found({"main.py": text}, tmp_path, (CODE,)) == [CODE], text


@pytest.mark.parametrize(
    ("made", "change", "trains"),
    [
        ("torch.sigmoid(self.first(x))", "h = h + 1", TRAINS),
        ("torch.sigmoid(self.first(x)).clone()", "h += 1", TRAINS),
        ("torch.sigmoid(self.first(x)).detach()", "h += 1", TRAINS),
        ("self.first(x)", "h += 1", TRAINS),
        ("torch.sigmoid(x)", "h += 1", TRAINS),
        ("torch.sigmoid(self.first(x))", "h += 1", "model(x)"),
        ("torch.sigmoid(self.first(x))", "if not self.training: h += 1", TRAINS),
    ],
)
def test_changes_that_do_no_harm_are_silent(made: str, change: str, trains: str, tmp_path: Path):
    text = TEXT.format(name="Net", made=made, change=change, trains=trains)
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text


@pytest.mark.oracle
def test_torch_raises_where_changes_are_told():
    torch = pytest.importorskip("torch")
    for change in ("h += 1", "h.mul_(2)", "h[:, 0] = 0", "h.view(-1).add_(1)"):
        space = {"torch": torch, "h": torch.sigmoid(torch.nn.Linear(4, 3)(torch.randn(2, 4)))}
        exec(change, space)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            space["h"].sum().backward()
