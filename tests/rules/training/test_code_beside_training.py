"""Code in a training loop that trains nothing hides no fault of the loop, and code that may train still does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn\nfrom torch.autograd import Variable\nfrom parts_of_mine import counted"
SETUP = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\ndata = [torch.randn(16, 8) for _ in range(3)]\n"
    "metrics = counted()\nscaler = torch.amp.GradScaler('cpu')"
)
NAMES = ("model", "optimizer", "data", "metrics", "scaler")
LOOP = (
    "for x in data:\n{clear}    loss = nn.functional.mse_loss(model(x), x)\n    loss.backward()\n{step}    {beside}\n{behind}"
)
CLEAR, STEP = "    optimizer.zero_grad()\n", "    optimizer.step()\n"
#: Statements that train nothing.
HARMLESS = (
    "seen = Variable(x)",
    "metrics.update(model(x).detach().cpu(), x)",
    "for metric in metrics:\n        metric.update(loss, x)",
    "for metric_fn in metrics:\n        metric_fn.reset()",
    "model.train(mode=bool(x.sum() > 0))",
    "counted('loss', loss.item(), round(loss.item(), 2))",
    "counted(step=3, mean=x.mean().item())",
    "# p.grad is looked at by nobody\n    print('no p.grad')",
)
#: Statements that may clear, differentiate or step.
OPEN = ("metrics.train_step(model, optimizer, x)", "metrics.reset(optimizer)", "metrics.trainer.clear_gradients()")
SCALED = (
    "for x in data:\n    optimizer.zero_grad()\n    loss = nn.functional.mse_loss(model(x), x)\n"
    "    scaler.scale(loss).backward()\n    scaler.step(optimizer)\n    {0}\n"
)


def _told(form: str, body: str, code: str, folder: Path) -> set[str]:
    return set(found(FORMS[form](Case(code, IMPORTS, SETUP, body, NAMES)), folder, (code,)))


@pytest.mark.parametrize("form", ["plain", "renamed", "in_function", "in_helper", "in_method", "in_other_file"])
def test_what_trains_nothing_hides_no_fault(form: str, tmp_path: Path):
    for beside in HARMLESS:
        missing = LOOP.format(clear="", step=STEP, beside=beside, behind="")
        assert _told(form, missing, "DLO101", tmp_path) == {"DLO101"}, beside
        behind = LOOP.format(clear=CLEAR, step="", beside=beside, behind=STEP.strip() + "\n")
        assert _told(form, behind, "DLO103", tmp_path) == {"DLO103"}, beside
        for code in ("DLO101", "DLO103"):
            assert _told(form, LOOP.format(clear=CLEAR, step=STEP, beside=beside, behind=""), code, tmp_path) == set(), beside


@pytest.mark.parametrize("form", ["plain", "in_function", "in_other_file"])
@pytest.mark.parametrize("given", ["loss", "model", "1, x", "loss=loss"])
def test_unknown_functions_that_get_a_tensor_or_a_model_may_step(form: str, given: str, tmp_path: Path):
    behind = LOOP.format(clear=CLEAR, step="", beside=f"counted({given})", behind=STEP.strip() + "\n")
    assert _told(form, behind, "DLO103", tmp_path) == set()


@pytest.mark.parametrize("form", ["plain", "in_helper", "in_method"])
def test_what_may_train_silences(form: str, tmp_path: Path):
    for beside in OPEN:
        assert _told(form, LOOP.format(clear="", step=STEP, beside=beside, behind=""), "DLO101", tmp_path) == set(), beside


@pytest.mark.parametrize("form", FORMS)
def test_only_the_update_of_the_scaler_is_one(form: str, tmp_path: Path):
    for other in ("metrics.update(x)", "metrics.bar.update(1)", "pass"):
        assert _told(form, SCALED.format(other), "DLO122", tmp_path) == {"DLO122"}, other
    for own in ("scaler.update()", "held = [scaler]\n    held[0].update()", "metrics.update(scaler)"):
        assert _told(form, SCALED.format(own), "DLO122", tmp_path) == set(), own


@pytest.mark.parametrize("name", ["transformers.AdamW", "transformers.optimization.AdamW", "timm.optim.Lamb"])
def test_optimizers_of_other_libraries_are_optimizers(name: str, tmp_path: Path):
    module, _, cls = name.rpartition(".")
    text = (
        f"import torch\nfrom {module} import {cls}\nfrom torch import nn\n\nmodel = nn.Linear(8, 2)\n"
        f"solver = {cls}(model.parameters(), lr=0.1)\nfor x in torch.randn(3, 4, 8):\n    solver.zero_grad()\n"
        "    loss = model(x).square().mean()\n    loss.backward()\n{0}"
    )
    assert found({"main.py": text.format("")}, tmp_path, ("DLO103",)) == ["DLO103"]
    assert found({"main.py": text.format("    solver.step()\n")}, tmp_path, ("DLO101", "DLO103")) == []


def test_forward_is_left_to_subclasses(tmp_path: Path):
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Base(nn.Module):\n    def fit(self, loader):\n"
        "        optimizer = torch.optim.Adam(self.parameters())\n        for x, y in loader:\n{0}"
        "            loss = self.criterion(self.forward(x), y)\n            loss.backward()\n            optimizer.step()\n"
    )
    assert found({"main.py": text.format("")}, tmp_path, ("DLO101",)) == ["DLO101"]
    for clear in ("            self.zero_grad()\n", "            self.prepare(optimizer)\n", "            self.start()\n"):
        assert found({"main.py": text.format(clear)}, tmp_path, ("DLO101",)) == [], clear


MEASURED = (
    "import torch\nfrom torch import nn\n\n\ndef train(model, loader, held_out, optimizer):\n    criterion = nn.MSELoss()\n"
    "    for epoch in range(3):\n        model.train()\n        for x, y in loader:\n            optimizer.zero_grad()\n"
    "            criterion(model(x), y).backward()\n            optimizer.step()\n        model.eval()\n        total = 0.0\n"
    "{before}        for x, y in held_out:\n            {work}\n        print(total)\n"
)


@pytest.mark.parametrize(
    ("before", "work", "expected"),
    [
        ("", "total += criterion(model(x), y).item()", ["DLO109"]),
        ("", "total += float(criterion(model(x), y)) + model(x).mean().item()", ["DLO109"]),
        ("", "total += criterion(model.forces(x), y).item()", []),
        ("", "total += criterion(torch.autograd.grad(model(x).sum(), x)[0], y).item()", []),
        ("        x.requires_grad_(True)\n", "total += criterion(model(x), y).item()", []),
        ("        torch.set_grad_enabled(False)\n", "total += criterion(model(x), y).item()", []),
    ],
)
def test_unknown_models_whose_losses_are_added_up_record_gradients_in_vain(
    before: str, work: str, expected: list[str], tmp_path: Path
):
    assert found({"main.py": MEASURED.format(before=before, work=work)}, tmp_path, ("DLO109",)) == expected


@pytest.mark.parametrize(
    ("argument", "expected"),
    [("device", ["DLG111"]), ("config.device", ["DLG111"]), ("config.dtype", []), ("'cuda'", ["DLG111"])],
)
def test_a_device_that_is_not_known_is_one_by_its_name(argument: str, expected: list[str], tmp_path: Path):
    text = (
        "import torch\nfrom torch import nn\n\n\ndef train(config, device, data):\n    model = nn.Linear(8, 2)\n"
        "    optimizer = torch.optim.Adam(model.parameters())\n    model.to({0})\n    for x in data:\n"
        "        optimizer.zero_grad()\n        model(x).mean().backward()\n        optimizer.step()\n"
    )
    assert found({"main.py": text.format(argument)}, tmp_path, ("DLG111",)) == expected
