"""Files that are loaded under nearly the name under which a program saves, and dicts of several things taken for models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
MODEL = "model = nn.Linear(8, 2)"
SAVE = "torch.save(model.state_dict(), {saved})\n"
#: The name under which is saved, and loaded → whether that is a slip.
NAMES = {
    ("'best_model.pth'", "'model_best.pth'"): True,
    ("'best_model.pth'", "'bestmodel.pth'"): True,
    ("'out/best-net.pth'", "'out/best_net.pth'"): True,
    ("'best_model.pth'", "'best_model.pth'"): False,
    ("'model_1.pth'", "'model_2.pth'"): False,
    ("'model.pth'", "'resnet18.pth'"): False,
    ("'a/best_model.pth'", "'b/model_best.pth'"): False,
    ("name", "'model_best.pth'"): False,
}


@pytest.mark.parametrize("form", ["plain", "renamed", "in_function", "in_guard", "in_helper", "in_method", "in_other_file"])
@pytest.mark.parametrize(("saved", "loaded"), NAMES)
def test_names(saved: str, loaded: str, form: str, tmp_path: Path) -> None:
    body = SAVE.format(saved=saved) + f"model.load_state_dict(torch.load({loaded}))\nprint(model(torch.ones(1, 8)))"
    imports = IMPORTS + "\nfrom settings import name" * (saved == "name")
    files = FORMS[form](Case("DLR104", imports, MODEL, body, ("model",)))
    assert ("DLR104" in found(files, tmp_path)) is NAMES[saved, loaded]


@pytest.mark.parametrize("form", ["plain", "renamed", "in_function", "in_guard", "in_helper", "in_method", "in_other_file"])
@pytest.mark.parametrize(
    ("used", "is_told"),
    [
        ("loaded.eval()", True),
        ("model.load_state_dict(loaded['model'])", False),
        ("loaded['whole'].eval()", False),
    ],
)
def test_a_dict_is_no_model(used: str, is_told: bool, form: str, tmp_path: Path) -> None:
    body = f"torch.save({{'model': model.state_dict(), 'epoch': 3}}, 'a.pt')\nloaded = torch.load('a.pt')\n{used}"
    files = FORMS[form](Case("DLR104", IMPORTS, MODEL, body, ("model",)))
    assert ("DLR104" in found(files, tmp_path)) is is_told
