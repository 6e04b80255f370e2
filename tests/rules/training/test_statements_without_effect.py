"""Statements that do nothing (DLG101, DLO104, DLO105, DLO114) and weights that are not kept (DLO129) are found in every form of
a program, and their repaired twins in none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import copy\n\nimport torch\nfrom torch import nn"
MODEL = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "data = torch.randn(16, 8)\nlabels = torch.randint(0, 2, (16,))"
)
NAMES = ("model", "optimizer", "data", "labels")
LOOP = (
    "for number in range(5):\n    optimizer.zero_grad()\n    loss = nn.functional.cross_entropy(model(data), labels)\n"
    "    {backward}\n    {step}\n"
)
KEPT = (
    "best, least = None, 9.0\nfor epoch in range(5):\n    optimizer.zero_grad()\n"
    "    loss = nn.functional.cross_entropy(model(data), labels)\n    loss.backward()\n    optimizer.step()\n"
    "    if loss.item() < least:\n        least = loss.item()\n        best = {state}\nmodel.load_state_dict(best)"
)
READ = "for turn in range(2):\n    {0}\n    print(model(data).sum().item())"
TRAIN = LOOP.format(backward="loss.backward()", step="optimizer.step()")
#: Code of the rule → faulty and repaired body.
PAIRS = {
    "DLG101": [
        (READ.format(fault), READ.format(repaired))
        for fault, repaired in (
            ("data.to('cuda')", "data = data.to('cuda')"),
            ("data.clamp(0, 1)", "data.clamp_(0, 1)"),
            ("torch.relu(data)", "data = torch.relu(data)"),
            ("data.div(2)", "data /= 2"),
            ("data.double()", "data = data.double().float()"),
            ("nn.functional.normalize(data, dim=1)", "data = nn.functional.normalize(data, dim=1)"),
        )
    ],
    "DLO104": [
        (LOOP.format(backward="loss.backward", step="optimizer.step()"), TRAIN),
        (LOOP.format(backward="loss.backward()", step="optimizer.step"), TRAIN),
        ("model.eval\nprint(model(data))", "model.eval()\nprint(model(data))"),
        ("model.train\n" + TRAIN, "model.train()\n" + TRAIN),
    ],
    "DLO105": [
        ("torch.no_grad()\nprint(model(data))", "with torch.no_grad():\n    print(model(data))"),
        ("torch.inference_mode()\nprint(model(data))", "with torch.inference_mode():\n    print(model(data))"),
        ("with torch.no_grad:\n    print(model(data))", "with torch.no_grad():\n    print(model(data))"),
    ],
    "DLO114": [
        ("model.requires_grad = False\n" + TRAIN, "model.requires_grad_(False)\n"),
        (
            "for parameter in model[0].parameters():\n    parameter.require_grad = False\n" + TRAIN,
            "for parameter in model[0].parameters():\n    parameter.requires_grad = False\n" + TRAIN,
        ),
    ],
    "DLO129": [
        (KEPT.format(state="model.state_dict()"), KEPT.format(state="copy.deepcopy(model.state_dict())")),
        (
            "first = model.state_dict()\n" + TRAIN + "model.load_state_dict(first)",
            "first = {name: value.clone() for name, value in model.state_dict().items()}\n" + TRAIN + "model.load_state_dict(first)",
        ),
    ],
}  # fmt: skip
PROGRAMS = [(code, number, form) for code, pairs in PAIRS.items() for number in range(len(pairs)) for form in FORMS]


def _case(code: str, body: str) -> Case:
    return Case(code, IMPORTS, MODEL, body, NAMES)


@pytest.mark.parametrize(("code", "number", "form"), PROGRAMS)
def test_every_form_is_found_and_its_twin_is_not(code: str, number: int, form: str, tmp_path: Path) -> None:
    faulty, repaired = (_case(code, body) for body in PAIRS[code][number])
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert code in found(FORMS[form](faulty), tmp_path / "a", [code])
    assert code not in found(FORMS[form](repaired), tmp_path / "b", [code])
