"""A dict of `named_parameters()` holds the weights themselves, which change with the model, as `state_dict()` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import copy\nfrom collections import OrderedDict\nimport torch\nfrom torch import nn"
SETUP = "model = nn.Linear(3, 1)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
BODY = """lowest, best = float("inf"), None
for _ in range(20):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 3)).square().mean()
    loss.backward()
    optimizer.step()
    if loss.item() < lowest:
        lowest = loss.item()
        best = {0}
model.load_state_dict(best)"""
FAULTY = ("dict(model.named_parameters())", "OrderedDict(model.named_parameters())", "model.state_dict()")
SOUND = (
    "{name: p.detach().clone() for name, p in model.named_parameters()}",
    "copy.deepcopy(dict(model.named_parameters()))",
    "copy.deepcopy(model.state_dict())",
)


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kept", FAULTY)
def test_weights_themselves(form: str, kept: str, tmp_path: Path) -> None:
    case = Case("DLO129", IMPORTS, SETUP, BODY.format(kept), ("model", "optimizer"))
    assert "DLO129" in found(FORMS[form](case), tmp_path, ["DLO129"])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kept", SOUND)
def test_copies(form: str, kept: str, tmp_path: Path) -> None:
    case = Case("DLO129", IMPORTS, SETUP, BODY.format(kept), ("model", "optimizer"))
    assert not found(FORMS[form](case), tmp_path, ["DLO129"])


@pytest.mark.parametrize("used", ["torch.save(params, 'last.pt')", "model.load_state_dict(params)"])
@pytest.mark.parametrize("made", FAULTY[:2])
def test_weights_by_name_that_follow_the_model(made: str, used: str, tmp_path: Path) -> None:
    setup = f"{SETUP}\nparams = {made}"
    body = BODY.format("None").replace("model.load_state_dict(best)", used)
    assert not found(FORMS["plain"](Case("DLO129", IMPORTS, setup, body, ("model", "optimizer"))), tmp_path, ["DLO129"])
