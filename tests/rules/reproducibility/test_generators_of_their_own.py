"""Generators that a script makes without a seed, although it seeds others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import random\nimport numpy as np\nimport torch\nfrom torch import nn"
SETUP = "torch.manual_seed(0)\nmodel = nn.Linear(3, 1)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
STEPS = """for _ in range(10):
    optimizer.zero_grad()
    model(torch.randn(4, 3)).square().mean().backward()
    optimizer.step()"""
MADE = {
    "np.random.default_rng({0})": "generator.permutation(10)",
    "np.random.RandomState({0})": "generator.rand(3)",
    "random.Random({0})": "generator.sample(range(10), 3)",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("made", MADE)
def test_generators(form: str, made: str, tmp_path: Path) -> None:
    body = f"generator = {made.format('')}\nprint({MADE[made]})\n{STEPS}"
    case = Case("DLR101", IMPORTS, SETUP, body, ("model", "optimizer"))
    assert "DLR101" in found(FORMS[form](case), tmp_path, ["DLR101"])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("given", ["0", "len('seed')"])
def test_generators_with_seeds(form: str, made: str, given: str, tmp_path: Path) -> None:
    body = f"generator = {made.format(given)}\nprint({MADE[made]})\n{STEPS}"
    case = Case("DLR101", IMPORTS, SETUP, body, ("model", "optimizer"))
    assert not found(FORMS[form](case), tmp_path, ["DLR101"])
