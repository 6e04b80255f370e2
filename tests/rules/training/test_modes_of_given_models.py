"""Models that a function is given: what ``eval()`` in its loop leaves behind, and ``forward`` that is written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLO108"
TEXT = """import torch
import torch.nn.functional as F

def evaluate({model}, held):
    {model}.eval()
    right = 0
    with torch.no_grad():
        for x, y in held:
            right += ({model}{call}(x).argmax(1) == y).sum().item()
    return right

def fit({model}, optimizer, loader, held):
    {first}
    for epoch in range(9):
        {each}
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy({model}{call}(x), y).backward()
            optimizer.step()
        print(evaluate({model}, held))
"""


@pytest.mark.parametrize("model", ["model", "net", "encoder"])
@pytest.mark.parametrize("call", ["", ".forward"])
@pytest.mark.parametrize("first", ["pass", "{0}.train()"])
def test_given_models_that_stay_in_evaluation_mode_are_told(model: str, call: str, first: str, tmp_path: Path):
    text = TEXT.format(model=model, call=call, first=first.format(model), each="pass")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [CODE], text


@pytest.mark.parametrize("call", ["", ".forward"])
@pytest.mark.parametrize(
    ("first", "each"), [("pass", "model.train()"), ("pass", "model.train(True)"), ("model.eval()", "pass")]
)
def test_given_models_that_are_put_back_are_silent(call: str, first: str, each: str, tmp_path: Path):
    text = TEXT.format(model="model", call=call, first=first, each=each)
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text
