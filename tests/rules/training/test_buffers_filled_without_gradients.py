"""What a loop stores without gradients leaves no graph behind, however the loop is followed; with them, it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

CODE = "DLO120"
IMPORTS = "import torch\nfrom torch import nn\nfrom games import make"
SETUP = (
    "model = nn.Linear(4, 2)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nworld = make()\n"
    "inputs = torch.zeros(16, 8, 4)\nscores = torch.zeros(16, 8)\nstate = world.reset()"
)
NAMES = ("model", "optimizer", "world", "inputs", "scores", "state")
BODY = """\
for turn in range(5):
    for step in range(16):
        inputs[step] = state
        {mode}:
            score = {score}
        {store}
        state = world.step(score)
    old = {old}
    for epoch in range(4):
        new = model(inputs.reshape(-1, 4)).exp().sum(1)
        optimizer.zero_grad()
        loss = (new - old).exp().mean()
        loss.backward()
        optimizer.step()
"""
SCORES = ("model(state).exp().sum(1)", "(model(state) * model(state).sigmoid()).mean(1)")
MODES = ("with torch.no_grad()", "with torch.inference_mode()")
STORES = ("scores[step] = score", "scores[step] = score.flatten()", "scores[step, :] = score")
OLD = ("scores.reshape(-1)", "scores.flatten()[torch.arange(128)]")


@pytest.mark.parametrize("form", ["plain", "in_helper", "aliased"])
def test_scores_stored_without_gradients_are_silent(form: str, tmp_path: Path):
    for number, score in enumerate(SCORES):
        body = BODY.format(mode=MODES[number], score=score, store=STORES[number], old=OLD[number])
        assert found(FORMS[form](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,)) == [], body


@pytest.mark.parametrize("store", STORES)
def test_scores_stored_with_their_graphs_are_told(store: str, tmp_path: Path):
    body = BODY.format(mode="if step >= 0", score=SCORES[0], store=store, old=OLD[0])
    assert set(found(FORMS["plain"](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,))) == {CODE}
