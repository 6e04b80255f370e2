"""Evaluation in training mode without a loop over data: on whole tensors of data that it is not trained on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = """model = nn.Sequential(nn.Linear(8, 16), {layer}, nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters())
x_train, y_train = torch.randn(64, 8), torch.randn(64, 1)
{data}, target = torch.randn(16, 8), torch.randn(16, 1)"""
TRAINING = """for epoch in range(100):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x_train), y_train).backward()
    optimizer.step()
"""
BEHIND = TRAINING + "with torch.no_grad():\n    {use}\n"
INSIDE = TRAINING + "    with torch.no_grad():\n        {use}\n"
PRINTED = "print(nn.functional.mse_loss(model({data}), target))"
NAMES = ("model", "optimizer", "x_train", "y_train", "target")


def case(body: str, layer: str = "nn.Dropout(0.2)", data: str = "x_test", use: str = PRINTED) -> Case:
    use = use.format(data=data)
    return Case("DLO107", IMPORTS, SETUP.format(layer=layer, data=data), body.format(use=use), (*NAMES, data))


FAULTY = {
    f"{'behind' if body is BEHIND else 'inside'}, {layer.partition('(')[0]}, {data}, {use.partition('(')[0]}": case(
        body, layer, data, use
    )
    for body in (BEHIND, INSIDE)
    for layer in ("nn.Dropout(0.2)", "nn.BatchNorm1d(16)")
    for data in ("x_test", "Xte", "held_back")
    for use in (PRINTED, "result = model({data}); print((result.argmax(1) == target[:, 0]).sum())")
}
SOUND = {
    "a layer without modes": case(BEHIND, "nn.LayerNorm(16)"),
    "put into evaluation mode": case(TRAINING + "model.eval()\nwith torch.no_grad():\n    {use}\n"),
    "the training data": case(BEHIND, use="print(nn.functional.mse_loss(model(x_train), y_train))"),
    "samples": case(BEHIND, use="print(model({data}))"),
    "targets of the training": case(
        TRAINING.replace("    nn.f", "    with torch.no_grad():\n        aim = model(x_test)\n    nn.f").replace(
            "y_train)", "aim)"
        )
        + "{use}",
        use="pass",
    ),
    "sampled from dropout": case(TRAINING + "with torch.no_grad():\n    for _ in range(20):\n        {use}\n"),
    "called for uncertainty": case(BEHIND, use="uncertainty = nn.functional.mse_loss(model({data}), target)"),
    "statistics anew": case(BEHIND, use="model({data})"),
    "before the training": case("with torch.no_grad():\n    {use}\n" + TRAINING),
    "never trained": case("with torch.no_grad():\n    {use}\n"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", FAULTY)
def test_a_model_applied_to_test_data_in_training_mode(name: str, form: str, tmp_path: Path) -> None:
    given = FAULTY[name]
    assert found(FORMS[form](given), tmp_path, [given.code]) == [given.code]


@pytest.mark.parametrize("name", SOUND)
def test_what_is_no_evaluation_in_training_mode(name: str, tmp_path: Path) -> None:
    assert not found(FORMS["plain"](SOUND[name]), tmp_path, ["DLO107"])
