"""A sum without `dim` makes one number of all samples, whichever way it is written; what keeps the samples does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

CODE = "DLT108"
IMPORTS = "import torch\nfrom torch import nn"
SETUP = (
    "model = nn.Linear(8, 4)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "data = [(torch.randn(16, 8), torch.randn(16, 8), torch.rand(16)) for _ in range(3)]"
)
NAMES = ("model", "optimizer", "data")
BODY = """\
for a, b, y in data:
    optimizer.zero_grad()
    x = model(a) - model(b)
    distance = {distance}
    loss = {loss}
    loss.backward()
    optimizer.step()
"""
LOSSES = ("nn.functional.mse_loss(distance, y)", "nn.SmoothL1Loss()(distance, y.contiguous())", "nn.L1Loss()(1 - distance, y)")
COLLAPSED = ("torch.sqrt((x * x).sum() + 1e-6)", "torch.mean(x.abs()).clamp(max=9)", "1 / (1 + torch.sum(x.contiguous() ** 2))")
KEPT = ("torch.sqrt((x * x).sum(-1) + 1e-6)", "torch.mean(x.abs(), dim=1)", "x.norm(dim=1)")


@pytest.mark.parametrize("form", ["plain", "renamed", "in_helper", "in_method"])
def test_a_number_for_all_samples_is_told_in_every_form(form: str, tmp_path: Path):
    number = sorted(FORMS).index(form) % len(LOSSES)
    body = BODY.format(distance=COLLAPSED[number], loss=LOSSES[number])
    assert set(found(FORMS[form](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,))) == {CODE}, body


def test_numbers_per_sample_and_targets_of_one_number_are_silent(tmp_path: Path):
    pairs = [*zip(KEPT, LOSSES, strict=True), (COLLAPSED[0], LOSSES[0].replace("y)", "y.mean())"))]
    pairs.append((COLLAPSED[1], LOSSES[0].replace("y)", "torch.ones(16))")))
    for distance, loss in pairs:
        body = BODY.format(distance=distance, loss=loss)
        assert found(FORMS["plain"](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,)) == [], body


@pytest.mark.parametrize("place", range(len(COLLAPSED)))
def test_every_way_to_one_number_is_told(place: int, tmp_path: Path):
    body = BODY.format(distance=COLLAPSED[place], loss=LOSSES[-1 - place])
    assert found(FORMS["plain"](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,)) == [CODE], body
