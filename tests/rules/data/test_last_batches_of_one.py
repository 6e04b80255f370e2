"""Batch normalisations in training on the last batch of a loader: how many samples it has, and what the loop does."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports
from tests.rules.training_variants import Training

SETUP = """
data = TensorDataset(torch.randn({samples}, 20), torch.randn({samples}, 1))
loader = DataLoader(data, batch_size=16{drop})
model = nn.Sequential(nn.Linear(20, 8), {norm}, nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
BODY = """model.{mode}()
optimizer.zero_grad()
loss = nn.functional.mse_loss(model(x), y)
loss.backward()
optimizer.step()"""
PARTS = "DataLoader, TensorDataset = torch.utils.data.DataLoader, torch.utils.data.TensorDataset\n"


def program(samples: int, drop: str, mode: str, norm: str) -> Training:
    setup = SETUP.format(samples=samples, drop=drop, norm=norm)
    names = ("x", "y", "model", "optimizer")
    return Training(setup, BODY.format(mode=mode), names, "for x, y in loader:", PARTS)


WAYS = list(product((33, 34, 48), ("", ", drop_last=True"), ("train", "eval"), ("nn.BatchNorm1d(8)", "nn.LayerNorm(8)")))


@pytest.mark.parametrize(("samples", "drop", "mode", "norm"), WAYS)
def test_one_sample_is_left_over(samples, drop, mode, norm):
    found = "DLD115" in {code for _, code in reports(program(samples, drop, mode, norm).plain())}
    assert found == (samples == 33 and not drop and mode == "train" and "Batch" in norm)


@pytest.mark.parametrize("form", ["in_main", "under_other_names", "with_aliased_imports", "in_helper", "under_context"])
def test_it_is_found_in_every_form(form):
    text = getattr(program(33, "", "train", "nn.BatchNorm1d(8)"), form)()
    assert "DLD115" in {code for _, code in reports(text)}
