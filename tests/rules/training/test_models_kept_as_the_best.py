"""Models that a loop keeps under a second name as the best so far, with and without a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import copy\nimport torch\nfrom torch import nn"
SETUP = """model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
data = [(torch.randn(4, 8), torch.randn(4, 2)) for _ in range(9)]"""
BODY = """{first}
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
lowest = 1e9
for epoch in range(9):
    for x, y in data:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        reached = sum(nn.functional.mse_loss(model(x), y).item() for x, y in data)
    if {test}:
        lowest = reached
        {keep}
{use}"""
FIRST = ("winner = None", "winner = copy.deepcopy(model)", "winner = model")
TESTS = ("reached < lowest", "lowest > reached and epoch > 2", "not reached >= lowest")
USES = ("print(winner(data[0][0]))", "winner.eval()", "torch.save(winner.state_dict(), 'a.pt')")


def _told(folder: Path, form: str = "plain", **parts: str) -> list[str]:
    usual = {"first": FIRST[0], "test": TESTS[0], "keep": "winner = model", "use": USES[0]}
    case = Case("DLO129", IMPORTS, SETUP, BODY.format(**{**usual, **parts}), ("model", "data"))
    return found(FORMS[form](case), folder, ["DLO129"])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", [form for form in FORMS if form != "in_method"])
@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("use", USES)
def test_the_best_model_is_the_live_one(use: str, test: str, first: str, form: str, tmp_path: Path) -> None:
    assert set(_told(tmp_path, form, first=first, test=test, use=use)) == {"DLO129"}


@pytest.mark.parametrize(
    "parts",
    [
        {"keep": "winner = copy.deepcopy(model)"},
        {"keep": "winner = model; break"},
        {"keep": "torch.save(model, 'a.pt')"},
        {"use": "print(model)"},
        {"test": "epoch == 8"},
        {"keep": "winner = lowest"},
        {"keep": "winner = model.state_dict"},
    ],
)
def test_a_copy_is_kept_or_the_loop_is_left(parts: dict[str, str], tmp_path: Path) -> None:
    assert not _told(tmp_path, **parts)


@pytest.mark.parametrize("making", ["nn.Linear(8, 2)", "copy.deepcopy(start)"])
def test_models_of_several_runs(making: str, tmp_path: Path) -> None:
    text = f"start = nn.Linear(8, 2)\n{SETUP}\n" + BODY.format(
        first="winner = None", test=TESTS[0], keep="winner = model", use=USES[0]
    ).replace("for epoch in range(9):\n", f"for epoch in range(9):\n    model = {making}\n")
    text = text.replace("optimizer = torch.optim.Adam(model.parameters(), lr=0.01)\n", "").replace(
        f"    model = {making}\n", f"    model = {making}\n    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)\n"
    )
    assert not found({MAIN: f"{IMPORTS}\n\n{text}\n"}, tmp_path, ["DLO129"])


METHOD = """class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.best, self.lowest = model, optimizer, None, 1e9

    def fit(self, data):
        for epoch in range(9):
            self.model.train()
            for x, y in data:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            if loss.item() < self.lowest:
                self.lowest = loss.item()
                self.best = {0}

    def predict(self, x):
        return self.best(x)
"""


@pytest.mark.parametrize(("kept", "is_told"), [("self.model", True), ("copy.deepcopy(self.model)", False)])
def test_a_trainer_keeps_its_model(kept: str, is_told: bool, tmp_path: Path) -> None:
    text = f"{IMPORTS}\n\n\n{METHOD.format(kept)}"
    assert found({MAIN: text}, tmp_path, ["DLO129"]) == (["DLO129"] if is_told else [])
