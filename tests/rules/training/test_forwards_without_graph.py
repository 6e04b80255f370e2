"""Losses in the form of layers of a forward pass that records nothing: found in every form, and in no repaired twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 1))\nhead = {head}\ncriterion = nn.{criterion}\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "loader = [(torch.randn(4, 8), torch.rand(4, 1)) for _ in range(3)]\n"
)
NAMES = ("model", "head", "criterion", "optimizer", "loader")
LOOP = (
    "for x, y in loader:\n    optimizer.zero_grad()\n    {0}\n    loss = criterion(head(scores), y)\n"
    "    loss.backward()\n    optimizer.step()\n"
)
OFF = "with torch.{0}():\n        scores = model(x)"
ON = "scores = model(x)"
CRITERIA = ("MSELoss()", "BCEWithLogitsLoss()", "BCEWithLogitsLoss(pos_weight=torch.ones(1))", "L1Loss()", "SmoothL1Loss()")
#: Layers behind the forward pass, and whether they have weights, from which gradients begin again.
HEADS = {"nn.Identity()": False, "nn.Sigmoid()": False, "nn.Linear(1, 1)": True, "nn.PReLU()": True, "nn.BatchNorm1d(1)": True}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("head", HEADS)
def test_losses_that_are_layers(form: str, criterion: str, head: str, tmp_path: Path) -> None:
    setup = SETUP.format(head=head, criterion=criterion)
    for body, expected in (
        (LOOP.format(OFF.format("no_grad")), not HEADS[head]),
        (LOOP.format(OFF.format("inference_mode")), not HEADS[head]),
        (LOOP.format(ON), False),
    ):
        told = found(FORMS[form](Case("DLO106", IMPORTS, setup, body, NAMES)), tmp_path, ("DLO106",))
        assert ("DLO106" in told) is expected, (body, told)
