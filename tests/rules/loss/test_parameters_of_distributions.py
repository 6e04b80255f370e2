"""Distributions with probabilities for raw scores, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn\nfrom torch import distributions as D"
SETUP = "policy = nn.Sequential(nn.Linear(8, 4){0})\nx = torch.randn(5, 8)"
NAMES = ("policy", "x")
WRONG = {
    "D.Categorical(logits=policy(x))": ", nn.Softmax(dim=-1)",
    "D.Categorical(logits=torch.softmax(policy(x), dim=1).contiguous())": "",
    "D.Bernoulli(logits=policy(x).sigmoid().squeeze())": "",
    "D.OneHotCategorical(logits=policy(x)[:, :2])": ", nn.Softmax(dim=-1)",
    "D.Categorical(policy(x))": "",
    "D.Categorical(probs=policy(x).detach())": "",
    "D.Bernoulli(policy(x).tanh())": "",
    "D.Categorical(probs=policy(x))": ", nn.LogSoftmax(dim=-1)",
}
SOUND = {
    "D.Categorical(logits=policy(x))": ", nn.LogSoftmax(dim=-1)",
    "D.Categorical(logits=policy(x).clone())": "",
    "D.Categorical(policy(x))": ", nn.Softmax(dim=-1)",
    "D.Bernoulli(probs=policy(x))": ", nn.Sigmoid()",
    "D.Categorical(logits=policy(x) * 10)": ", nn.Softmax(dim=-1)",
    "D.Normal(policy(x), 1.0)": "",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("made", WRONG)
def test_a_distribution_gets_the_wrong_numbers(made: str, form: str, tmp_path: Path) -> None:
    case = Case("DLL120", IMPORTS, SETUP.format(WRONG[made]), f"action = {made}.sample()", NAMES)
    assert set(found(FORMS[form](case), tmp_path, ["DLL120"])) == {"DLL120"}


@pytest.mark.parametrize("made", SOUND)
def test_a_distribution_gets_what_it_takes(made: str, tmp_path: Path) -> None:
    case = Case("DLL120", IMPORTS, SETUP.format(SOUND[made]), f"action = {made}.sample()", NAMES)
    assert not found(FORMS["plain"](case), tmp_path, ["DLL120"])
