"""Probabilities that sum to 1 along another axis than the one where a loss finds the classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = "x = torch.randn({0})\ny = torch.randint(0, 4, ({1},))\nmix = torch.rand({2}, {2})"
SCORES = {
    "mix @ x": ("30, 4", "30", 30, 0, 1),
    "torch.einsum('ij,jk->ik', mix, x) / 2": ("30, 4", "30", 30, 0, 1),
    "x * 2": ("8, 4, 6, 6", "8, 6, 6", 6, 3, 1),
    "(x + 1).permute(0, 3, 1, 2)": ("8, 6, 6, 4", "8, 6, 6", 6, -1, 1),
}
TO_LOSS = (
    "nn.functional.nll_loss({0}.log(), y)",
    "nn.functional.nll_loss(torch.log({0} + 1e-8).contiguous(), y)",
    "nn.NLLLoss()(torch.log({0}.clamp(min=1e-8)), y)",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scores", SCORES)
def test_another_axis_than_that_of_the_classes(scores: str, form: str, tmp_path: Path) -> None:
    shape, target, mixed, wrong, right = SCORES[scores]
    loss = TO_LOSS[list(SCORES).index(scores) % len(TO_LOSS)]
    for axis, is_wrong in ((wrong, True), (right, False)):
        body = f"scores = {scores}\nloss = {loss.format(f'torch.softmax(scores, dim={axis})')}"
        case = Case("DLT121", IMPORTS, SETUP.format(shape, target, mixed), body, ("x", "y", "mix"))
        assert ("DLT121" in found(FORMS[form](case), tmp_path, ["DLT121"])) is is_wrong


@pytest.mark.parametrize("loss", TO_LOSS)
def test_axes_that_are_moved_to_the_place_of_the_classes(loss: str, tmp_path: Path) -> None:
    moved = "torch.softmax(x.permute(0, 2, 3, 1), dim=-1).permute(0, 3, 1, 2)"
    flat = "torch.softmax(x.permute(0, 2, 3, 1).reshape(-1, 4), dim=1)"
    for probabilities, target in ((moved, "8, 6, 6"), (flat, "288")):
        body = f"loss = {loss.format(probabilities)}"
        case = Case("DLT121", IMPORTS, SETUP.format("8, 4, 6, 6", target, 6), body, ("x", "y", "mix"))
        assert not found(FORMS["plain"](case), tmp_path, ["DLT121"])
