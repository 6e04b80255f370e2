"""A backward pass in a loop that keeps its graph is told as information, unless something may go through that graph again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

CODE = "DLO120"
IMPORTS = "import torch\nfrom torch import nn\nfrom zoo import make"
KNOWN = "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))\n"
FOREIGN = "model = make()\n"
SETUP = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\ndata = [torch.randn(16, 8) for _ in range(3)]"
NAMES = ("model", "optimizer", "data")
LOOP = "for x in data:\n    optimizer.zero_grad()\n    loss = {loss}\n    loss.backward({keeps})\n{more}    optimizer.step()\n"
LOSSES = ("nn.functional.mse_loss(model(x), x)", "model(x).contiguous().square().mean()")
HARMLESS = ("", "    print(loss.item())\n", "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n")
USED = (
    "    (loss * 2).backward()\n",
    "    torch.autograd.grad(loss, list(model.parameters()))\n",
    "    second = model(x).mean()\n    second.backward()\n",
    "    trainer.train_again(loss)\n",
)


@pytest.mark.parametrize("model", [KNOWN, FOREIGN], ids=["known", "foreign"])
@pytest.mark.parametrize("form", FORMS)
def test_a_graph_that_nothing_uses_again_is_told_in_every_form(form: str, model: str, tmp_path: Path):
    for loss in LOSSES:
        for more in HARMLESS:
            body = LOOP.format(loss=loss, keeps="retain_graph=True", more=more)
            told = found(FORMS[form](Case(CODE, IMPORTS, model + SETUP, body, NAMES)), tmp_path, (CODE,))
            assert set(told) == {CODE}, body


@pytest.mark.parametrize("model", [KNOWN, FOREIGN], ids=["known", "foreign"])
@pytest.mark.parametrize("form", ["plain", "in_helper", "in_method"])
def test_what_may_use_the_graph_is_silent(form: str, model: str, tmp_path: Path):
    for loss in LOSSES:
        for more in USED:
            body = LOOP.format(loss=loss, keeps="retain_graph=True", more=more)
            setup = model + SETUP + "\nfrom trainers import trainer"
            assert found(FORMS[form](Case(CODE, IMPORTS, setup, body, NAMES)), tmp_path, (CODE,)) == [], body
        for keeps in ("", "retain_graph=False", "retain_graph=False, create_graph=True", "retain_graph=loss > 1"):
            body = LOOP.format(loss=loss, keeps=keeps, more="")
            assert found(FORMS[form](Case(CODE, IMPORTS, model + SETUP, body, NAMES)), tmp_path, (CODE,)) == [], body


CELLS = "cell, head = nn.GRUCell(8, 16), nn.Linear(16, 8)\nhidden = {first}\n"
UNKNOWN = "cell, head = make(), make()\nhidden = {first}\n"
TRAINED = "optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)\n"
STATEFUL = (
    "for x in {data}:\n    optimizer.zero_grad()\n    {state}\n    loss = nn.functional.mse_loss(head(hidden), x)\n"
    "    loss.backward(retain_graph=True)\n    optimizer.step()\n"
)


@pytest.mark.parametrize("cells", [CELLS, UNKNOWN], ids=["known", "foreign"])
@pytest.mark.parametrize("first", ["torch.zeros(16, 16)", "None"])
def test_a_state_that_one_pass_leaves_to_the_next_is_silent(cells: str, first: str, tmp_path: Path):
    for data in ("torch.randn(9, 16, 8)", "loader"):
        for state in ("hidden = cell(x, hidden)", "new = cell(x, hidden)\n    hidden = new"):
            body = STATEFUL.format(state=state, data=data)
            text = f"{IMPORTS}, loader\n{cells.format(first=first)}{TRAINED}{body}"
            assert found({"main.py": text}, tmp_path, (CODE,)) == [], text


KEEPER = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head, self.state = nn.GRUCell(8, 16), nn.Linear(16, 8), {first}

    def forward(self, x):
        self.state = self.cell(x, self.state)
        return self.head(self.state)

def train(data):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in data:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x)
        loss.backward(retain_graph=True)
        optimizer.step()
"""


@pytest.mark.parametrize("first", ["torch.zeros(16, 16)", "None"])
def test_a_state_that_a_model_keeps_is_silent(first: str, tmp_path: Path):
    assert found({"main.py": KEEPER.format(first=first)}, tmp_path, (CODE,)) == []


@pytest.mark.parametrize("model", [KNOWN, FOREIGN], ids=["known", "foreign"])
def test_a_graph_that_begins_before_the_loop_is_silent(model: str, tmp_path: Path):
    for made in ("model(torch.randn(16, 8))", "model.encode(torch.randn(16, 8))"):
        text = (
            f"{IMPORTS}\n{model}head = nn.Linear(8, 8)\noptimizer = torch.optim.SGD(head.parameters(), lr=0.1)\n"
            f"features = {made}\nfor x in torch.randn(4, 16, 8):\n    optimizer.zero_grad()\n"
            "    loss = nn.functional.mse_loss(head(features), x)\n    loss.backward(retain_graph=True)\n    optimizer.step()\n"
        )
        if "encode" not in made or model == FOREIGN:
            assert found({"main.py": text}, tmp_path, (CODE,)) == [], text
