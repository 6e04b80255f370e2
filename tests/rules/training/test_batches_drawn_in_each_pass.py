"""A loop that counts and draws a batch in each pass goes over data: it evaluates with gradients, or in training mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found, indented

IMPORTS = """import torch
from torch import nn


def drawn(data, size=8):
    chosen = torch.randint(len(data), (size,))
    return data[chosen], data[chosen] * 2


def loss_of(network, data):
    x, y = drawn(data)
    return nn.functional.mse_loss(network(x), y).item()
"""
SETUP = """model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data, held_out = torch.randn(100, 3), torch.randn(50, 3)"""
TRAINED = """for number in range(500):
    model.train()
    x, y = drawn(data)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""
NAMES = ("model", "optimizer", "data", "held_out")
#: What a pass of the evaluation does.
DRAWS = (
    "x, y = drawn(held_out)\n    total += nn.functional.mse_loss(model(x), y).item()",
    "total += loss_of(model, held_out)",
    "batch = torch.stack([held_out[0], held_out[1]])\n    batch = batch[torch.randperm(2)]\n"
    "    total += (model(batch).argmax(1) == 1).float().mean().item()",
)
SAMPLES = (
    "total += nn.functional.mse_loss(model(held_out), held_out).item()",
    "held_out = model(held_out + torch.randn(50, 3))",
    "total += model(model[0:1](drawn(held_out)[0])[:, :3]).argmax(1).sum().item()",
)


def told(done: str, form: str, folder: Path, *, mode: str = "model.eval()", code: str = "DLO109") -> bool:
    body = f"{TRAINED}{mode}\ntotal = 0.0\nfor step in range(300):\n    {done}\nprint(total)"
    return code in found(FORMS[form](Case(code, IMPORTS, SETUP, body, NAMES)), folder, [code])


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("done", DRAWS)
def test_evaluations_of_drawn_batches(done: str, form: str, tmp_path: Path) -> None:
    assert told(done, form, tmp_path)


@pytest.mark.parametrize("done", SAMPLES)
def test_passes_over_the_same_data(done: str, tmp_path: Path) -> None:
    assert not told(done, "in_function", tmp_path)


@pytest.mark.parametrize("done", DRAWS)
def test_drawn_batches_without_gradients(done: str, tmp_path: Path) -> None:
    within = indented(f"with torch.no_grad():\n    {done}").strip()
    assert not told(within, "plain", tmp_path)
    assert told(within, "plain", tmp_path, mode="pass", code="DLO107")
