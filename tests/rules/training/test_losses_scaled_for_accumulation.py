"""A loss that is divided by the number of batches in any way is scaled; that something is called so scales nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

HEAD = """import torch
from torch import nn


def part(loss, count):
    return {helper}


def accumulate(loss):
    loss.backward()

"""
SETUP = """model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"""
BODY = """count = 4
for number in range(100):
    loss = nn.functional.mse_loss(model(torch.randn(4, 8)), torch.zeros(4, 2))
    {scaled}
    {backward}
    if (number + 1) % count == 0:
        optimizer.step()
        optimizer.zero_grad()"""
NAMES = ("model", "optimizer")
BACKWARDS = ("loss.backward()", "accumulate(loss)")
SCALED = (
    "loss = loss.mul(1 / 4)", "loss = torch.div(loss, 4.0)", "loss.div_(4.0)", "loss = torch.mul(loss, 0.25).squeeze()",
    "loss = loss.true_divide(torch.tensor(4.0))", "loss = part(loss, 4.0)", "loss = part(loss + loss.abs(), 8)",
)  # fmt: skip
NOT_SCALED = (
    "pass", "loss = loss.squeeze()", "loss = loss + 0.1", "loss = torch.clone(loss)", "loss = part(loss + loss.clone(), 2)",
)  # fmt: skip
HELPERS = ("torch.multiply(loss, 1.0 / count)", "loss.div(count)", "loss / count")


def told(scaled: str, backward: str, form: str, folder: Path, helper: str = "loss / count") -> bool:
    body = BODY.format(scaled=scaled, backward=backward)
    case = Case("DLO123", HEAD.format(helper=helper), SETUP, body, NAMES)
    return "DLO123" in found(FORMS[form](case), folder, ["DLO123"])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("backward", BACKWARDS)
@pytest.mark.parametrize("scaled", NOT_SCALED)
def test_sums_of_whole_gradients(scaled: str, backward: str, form: str, tmp_path: Path) -> None:
    helper = "loss / 2" if "clone()," in scaled else "loss.abs()"
    assert told(scaled, backward, form, tmp_path, helper)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("backward", BACKWARDS)
@pytest.mark.parametrize("scaled", SCALED)
def test_parts_of_gradients(scaled: str, backward: str, form: str, tmp_path: Path) -> None:
    assert not told(scaled, backward, form, tmp_path)


@pytest.mark.parametrize("helper", HELPERS)
def test_parts_that_a_function_makes(helper: str, tmp_path: Path) -> None:
    assert not told("loss = part(loss, 4.0)", "loss.backward()", "plain", tmp_path, helper)
