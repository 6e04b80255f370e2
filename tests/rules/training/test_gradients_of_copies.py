"""Optimizers that apply the gradients of an adapted copy, as first-order meta-learning does, and those that get none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import copy\nimport torch\nfrom torch import nn"
SETUP = """model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
meta = torch.optim.Adam(model.parameters(), lr=1e-3)"""
BODY = """for episode in range(100):
    meta.zero_grad()
    fast = copy.deepcopy(model)
    inner = torch.optim.SGD(fast.parameters(), lr=0.01)
    for step in range(3):
        x = torch.randn(10, 1)
        inner.zero_grad()
        nn.functional.mse_loss(fast(x), torch.sin(x)).backward()
        inner.step()
    fast.zero_grad()
    x = torch.randn(10, 1)
    nn.functional.mse_loss(fast(x), torch.sin(x)).backward()
    {0}
    meta.step()"""
#: How gradients come from the copy to the model, or the model's are made otherwise.
GIVEN = {
    "assigned": "for p, q in zip(model.parameters(), fast.parameters()):\n        p.grad = q.grad",
    "kept first": "grads = [q.grad for q in fast.parameters()]\n    for p, g in zip(model.parameters(), grads):\n"
    "        p.grad = g",
    "difference": "for p, q in zip(model.parameters(), fast.parameters()):\n        p.grad = p.data - q.data",
    "copied": "for p, q in zip(model.parameters(), fast.parameters()):\n        p.grad.copy_(q.grad)",
}
#: What gives the model none.
NOT_GIVEN = {"nothing": "pass", "cleared": "for p in fast.parameters():\n        p.grad = None"}


def _told(between: str, form: str, folder: Path) -> list[str]:
    return found(FORMS[form](Case("DLO113", IMPORTS, SETUP, BODY.format(between), ("model", "meta"))), folder, ["DLO113"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("given", GIVEN)
def test_gradients_of_a_copy_are_applied(given: str, form: str, tmp_path: Path) -> None:
    assert not _told(GIVEN[given], form, tmp_path)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("given", NOT_GIVEN)
def test_gradients_of_a_copy_are_not_applied(given: str, form: str, tmp_path: Path) -> None:
    assert _told(NOT_GIVEN[given], form, tmp_path)
