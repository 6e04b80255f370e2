"""Scripts that load trained weights and predict in training mode, and evaluations that pick their batches by counting."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import torch\nfrom torch import nn"
NET: Final = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.between = {layer}
        self.last = nn.Linear(16, 2)

    def forward(self, x):
        return self.last(self.between(torch.relu(self.first(x))))


model = Net()
data = torch.randn(64, 8)
"""
LOAD: Final = "model.load_state_dict(torch.load('best.pt', map_location='cpu'))\n"
MODAL: Final = ("nn.Dropout(0.5)", "nn.BatchNorm1d(16)", "nn.Sequential(nn.ReLU(), nn.Dropout(0.1))")
#: Ways to predict without gradients.
PREDICTED: Final = {
    "no_grad": "with torch.no_grad():\n    print(model(data).argmax(1))\n",
    "inference_mode": "with torch.inference_mode():\n    scores = torch.sigmoid(model(data))\nprint(scores)\n",
    "loop": "with torch.no_grad():\n    for i in range(0, 64, 8):\n        print(model(data[i:i + 8]).argmax(1))\n",
}


def is_told(body: str, form: str, folder: Path, layer: str = MODAL[0]) -> bool:
    case = Case("DLO107", IMPORTS, NET.format(layer=layer), body, ("model", "data"))
    return bool(found(FORMS[form](case), folder, ["DLO107"]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", PREDICTED)
@pytest.mark.parametrize("layer", MODAL)
def test_predictions_of_loaded_weights(layer: str, way: str, form: str, tmp_path: Path) -> None:
    assert is_told(LOAD + PREDICTED[way], form, tmp_path, layer)
    assert not is_told(f"{LOAD}model.eval()\n{PREDICTED[way]}", form, tmp_path, layer)


SILENT: Final = {
    "mode before loading": "model.eval()\n" + LOAD + PREDICTED["no_grad"],
    "mode of a caller": LOAD + "prepare(model)\n" + PREDICTED["no_grad"],
    "with gradients": LOAD + "print(model(data))\n",
    "samples": LOAD + "with torch.no_grad():\n    for _ in range(20):\n        print(model(data))\n",
    "uncertainty": LOAD + "with torch.no_grad():\n    uncertainty = model(data).var(0)\n    print(uncertainty)\n",
    "statistics": LOAD + "with torch.no_grad():\n    model(data)\n",
    "not loaded": PREDICTED["no_grad"],
    "switched by a flag": LOAD + "model.train(False)\n" + PREDICTED["no_grad"],
}


@pytest.mark.parametrize("body", SILENT)
def test_what_is_no_prediction_in_training_mode(body: str, tmp_path: Path) -> None:
    case = Case(
        "DLO107", f"{IMPORTS}\nfrom helpers import prepare", NET.format(layer=MODAL[0]), SILENT[body], ("model", "data")
    )
    assert not found(FORMS["plain"](case), tmp_path, ["DLO107"])


def test_a_layer_that_computes_the_same_in_both_modes(tmp_path: Path) -> None:
    assert not is_told(LOAD + PREDICTED["no_grad"], "plain", tmp_path, "nn.LayerNorm(16)")


TRAIN: Final = """
optimizer = torch.optim.Adam(model.parameters())
target = torch.randint(0, 2, (64,))
for epoch in range(5):
    for i in range(0, 32, 8):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(data[i:i + 8]), target[i:i + 8]).backward()
        optimizer.step()
"""
COUNTED: Final = {
    "slices": "for i in range(32, 64, 8):\n        right += (model(data[i:i + 8]).argmax(1) == target[i:i + 8]).sum().item()",
    "numbers": "for n in range(32, 64):\n        right += (model(data[n][None]).argmax(1) == target[n]).sum().item()",
    "variables": "for i in range(4):\n        part = data[i:i + 8]\n        right += model(part).argmax(1).sum().item()",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", COUNTED)
def test_evaluations_that_count_their_batches(way: str, form: str, tmp_path: Path) -> None:
    body = f"{TRAIN}{{mode}}right = 0\nwith torch.no_grad():\n    {COUNTED[way]}\nprint(right)"
    assert is_told(body.format(mode=""), form, tmp_path)
    assert not is_told(body.format(mode="model.eval()\n"), form, tmp_path)
