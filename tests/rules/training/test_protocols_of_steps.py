"""What is wrong with the protocol of training steps is found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
MODEL = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 2))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "loader = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(3)]\n"
)
NAMES = ("model", "optimizer", "loader")
TRAIN = (
    "for x, y in loader:\n    optimizer.zero_grad()\n    loss = nn.functional.cross_entropy(model(x), y)\n    loss.backward()\n"
    "    optimizer.step()\n"
)
#: What an evaluation does with a batch.
EVALUATED = (
    "correct += (model(x).argmax(1) == y).sum().item()",
    "outputs = model(x)\n    correct += nn.functional.cross_entropy(outputs, y).item()",
    "kept.append(model(x).softmax(1).detach().cpu().numpy())",
)
#: Code of the rule → faulty and repaired body.
PAIRS = {
    "DLO109": [
        (f"{TRAIN}model.eval()\ncorrect, kept = 0, []\nfor x, y in loader:\n    {work}", f"{TRAIN}{repaired}")
        for work in EVALUATED
        for repaired in (
            "model.eval()\ncorrect, kept = 0, []\nwith torch.no_grad():\n    for x, y in loader:\n        "
            + work.replace("\n", "\n    "),
        )
    ],
}  # fmt: skip
PROGRAMS = [(code, pair, form) for code, pairs in PAIRS.items() for pair in pairs for form in FORMS]


def _told(case: Case, form: str, folder: Path) -> bool:
    folder.mkdir()
    return case.code in found(FORMS[form](case), folder, [case.code])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("code", "pair", "form"), PROGRAMS)
def test_every_form_is_found_and_its_twin_is_not(code: str, pair: tuple[str, str], form: str, tmp_path: Path) -> None:
    faulty, repaired = (Case(code, IMPORTS, MODEL, body, NAMES) for body in pair)
    assert _told(faulty, form, tmp_path / "a")
    assert not _told(repaired, form, tmp_path / "b")


#: Evaluations of which it is not known that nothing asks for gradients.
UNDECIDED = (
    "{train}model.eval()\nwith torch.inference_mode():\n    for x, y in loader:\n        print(model(x).argmax(1))",
    "{train}model.eval()\ntorch.set_grad_enabled(False)\nfor x, y in loader:\n    print(model(x).argmax(1))",
    "{train}model.eval()\nwith torch.set_grad_enabled(False):\n    for x, y in loader:\n        print(model(x).argmax(1))",
    "{train}model.eval()\nfor x, y in loader:\n    x.requires_grad_()\n    score = model(x).sum()\n    print(torch.autograd.grad(score, x))",
    "{train}model.eval()\nfor p in model.parameters():\n    p.requires_grad = False\nfor x, y in loader:\n    print(model(x).argmax(1))",
    "model.eval()\ntotal = 0\nfor x, y in loader:\n    total = total + nn.functional.cross_entropy(model(x), y)\ntotal.backward()\noptimizer.step()",
    "{train}model.eval()\nfor x, y in loader:\n    print(model(perturbed(model, x, y)).argmax(1))",
    "{train}model.eval()\nfor _ in range(3):\n    print(model(torch.randn(2, 8)))",
    "model.eval()\nfor x, y in loader:\n    optimizer.zero_grad()\n    nn.functional.cross_entropy(model(x), y).backward()\n    optimizer.step()",
)  # fmt: skip


@pytest.mark.parametrize("form", ["plain", "in_helper", "in_other_file"])
@pytest.mark.parametrize("body", UNDECIDED)
def test_evaluations_that_may_want_gradients(body: str, form: str, tmp_path: Path) -> None:
    imports = f"{IMPORTS}\nfrom attacks import perturbed"
    assert not _told(Case("DLO109", imports, MODEL, body.format(train=TRAIN), NAMES), form, tmp_path / "a")


@pytest.mark.parametrize("decorator", ["torch.no_grad()", "torch.inference_mode()", "torch.no_grad", "without_gradients"])
@pytest.mark.parametrize("name", ["evaluate", "test", "validation_loss"])
def test_decorated_evaluations(decorator: str, name: str, tmp_path: Path) -> None:
    text = (
        f"{IMPORTS}\nfrom engine import without_gradients\n\n\n@{decorator}\ndef {name}(model, loader):\n    model.eval()\n"
        f"    for x, y in loader:\n        print(model(x).argmax(1))\n\n\n{MODEL}\n{TRAIN}\n{name}(model, loader)\n"
    )
    assert not found({"main.py": text}, tmp_path, ["DLO109"])
    bare = text.replace(f"@{decorator}\n", "")
    assert found({"main.py": bare}, tmp_path, ["DLO109"])
