"""A model that is made again behind its optimizer is told, in every form, and not what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

CODE = "DLO113"
IMPORTS = "import copy\n\nimport torch\nfrom torch import nn\nfrom zoo import Net, make, save_checkpoint"
SETUP = "data = [torch.randn(16, 8) for _ in range(3)]"
NAMES = ("data",)
BODY = (
    "model = {first}\nsolver = torch.optim.SGD(model.parameters(), lr=0.1)\n{between}model = {again}\n"
    "for x in data:\n    solver.zero_grad()\n    loss = model(x).square().mean()\n    loss.backward()\n    solver.step()\n"
    "    save_checkpoint(model, solver)\n"
)
MODELS = (
    "nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))",
    "nn.Linear(8, 8).to('cpu')",
    "Net(8).to('cpu')",
    "Net(8, depth=2).to('cpu')",
)
#: Statements between the optimizer and the second model, or what stands for it, that make the program work.
WORKING = (
    ("Net(8).to('cpu')", "", "model"),
    ("Net(8)", "old = model\n", "nn.Sequential(old, Net(8))"),
    ("Net(8)", "old = model\n", "nn.DataParallel(old)"),
    ("Net(8)", "old = model\n", "copy.deepcopy(old)"),
    ("make()", "", "make()"),
    ("Net(8)", "solver.add_param_group({'params': make().parameters()})\n", "Net(8)"),
    ("nn.Linear(8, 8)", "print(sum(p.abs().sum() for p in model.parameters()))\nold = model\nhold = [make(old)]\n", "Net(8)"),
)
LOOKALIKES = {
    "named": (
        "base = Net(8)\nmodel = base.to('cpu')\nsolver = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "other = Net(8).to('cpu')\n"
        "for x in data:\n    solver.zero_grad()\n    (base(x) - other(x)).square().mean().backward()\n    solver.step()\n"
    ),
    "folds": (
        "for fold in range(3):\n    model = Net(8)\n    solver = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "    for x in data:\n        solver.zero_grad()\n        model(x).mean().backward()\n        solver.step()\n"
        "model = Net(8)\nprint(model(data[0]))\n"
    ),
    "target": (
        "critic, solver = Net(8), None\nsolver = torch.optim.SGD(critic.parameters(), lr=0.1)\ntarget = Net(8)\n"
        "for x in data:\n    solver.zero_grad()\n    (critic(x) - target(x)).square().mean().backward()\n    solver.step()\n"
    ),
    "several": (
        "models = [nn.Linear(8, 8) for _ in range(3)]\n"
        "solvers = [torch.optim.SGD(model.parameters(), lr=0.1) for model in models]\nlast = nn.Linear(8, 8)\n"
        "for x in data:\n    for model, solver in zip(models, solvers):\n        solver.zero_grad()\n"
        "        last(model(x)).mean().backward()\n        solver.step()\n"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_is_made_again_is_told(form: str, tmp_path: Path):
    for model in MODELS:
        body = BODY.format(first=model, between="", again=model)
        assert set(found(FORMS[form](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,))) == {CODE}, body


@pytest.mark.parametrize("form", ["plain", "in_function", "in_helper"])
def test_models_that_are_used_are_silent(form: str, tmp_path: Path):
    bodies = [BODY.format(first=first, between=between, again=again) for first, between, again in WORKING]
    for body in (*bodies, *LOOKALIKES.values()):
        assert found(FORMS[form](Case(CODE, IMPORTS, SETUP, body, NAMES)), tmp_path, (CODE,)) == [], body
