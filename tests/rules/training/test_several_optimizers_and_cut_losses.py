"""Steps of several optimizers, losses that are cut off from their graphs, and code beside training that trains nothing: faults
are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import matplotlib.pyplot as plt\nimport torch\nfrom torch import nn"
MODEL = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))\n"
    "other = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 8))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nsecond = torch.optim.SGD(other.parameters(), lr=0.1)\n"
    "data = [torch.randn(16, 8) for _ in range(3)]"
)
NAMES = ("model", "other", "optimizer", "second", "data")
LOOP = (
    "for x in data:\n    optimizer.zero_grad()\n    loss = nn.functional.mse_loss(model(x), x)\n"
    "    {backward}\n    optimizer.step()\n    {last}\n"
)
TWO = (
    "for x in data:\n    optimizer.zero_grad()\n    loss = nn.functional.mse_loss(model(x), x)\n    loss.backward()\n"
    "    optimizer.step()\n    {clear}\n    nn.functional.mse_loss(other(x), x).backward()\n    second.step()\n"
)
DOUBLED = (
    "first = torch.optim.SGD(model.parameters(), lr=0.1)\nlast = torch.optim.SGD({0}.parameters(), lr=0.1)\n"
    "for x in data:\n    first.zero_grad()\n    last.zero_grad()\n    nn.functional.mse_loss(model(other(x)), x).backward()\n"
    "    first.step()\n    last.step()\n"
)
SCALED = (
    "scaler = torch.amp.GradScaler('cpu')\nis_scaled = bool(data[0].sum() > 0)\nfor x in data:\n    optimizer.zero_grad()\n"
    "    loss = nn.functional.mse_loss(model(x), x)\n    if is_scaled:\n        scaler.scale(loss).backward()\n"
    "        scaler.step(optimizer)\n        {0}\n    else:\n        loss.backward()\n        optimizer.step()\n"
)
IN_TURN = (
    "scaler = torch.amp.GradScaler('cpu')\nfor x in data:\n    optimizer.zero_grad()\n"
    "    scaler.scale(nn.functional.mse_loss(model(x), x)).backward()\n    {0}\n    second.zero_grad()\n"
    "    loss = nn.functional.mse_loss(other(x), x)\n    {1}\n    {2}\n"
)
BY_SCALER = "scaler.step(optimizer)", "scaler.scale(loss).backward()\n    scaler.step(second)"
SCHEDULED = (
    "# scheduler: one step for each pass\nscheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)\n"
    + LOOP.format(backward="loss.backward()", last="print(scheduler.get_last_lr())")
    + "    {0}\n"
)
PLOTTED = "figure, axes = plt.subplots()\n" + LOOP.format(
    backward="{0}", last="axes.set_title(x.shape)\n    axes.plot(x.mean(1))"
)
LOOKED = LOOP.format(backward="{0}", last="print([p.grad.norm() for p in model.parameters() if p.grad is not None])")
RATE = "new = torch.optim.SGD(model.parameters(), lr={0})\nfalling = torch.optim.lr_scheduler.StepLR(new, 1)\n" + LOOP.replace(
    "optimizer", "new"
).format(backward="loss.backward()", last="falling.step()")
BACKWARD = LOOP.format(backward="loss.backward()", last="pass")
#: Code of the rule, faulty and repaired body.
PAIRS = [
    ("DLO106", LOOP.format(backward=cut, last="pass"), BACKWARD)
    for cut in (
        "loss.detach().backward()",
        "loss = loss.detach()\n    loss.backward()",
        "((model(x).argmax(1) == 1).float().mean() + loss.detach()).backward()",
        "nn.functional.mse_loss(model(x).detach(), x).backward()",
        "loss.data.backward()",
        "torch.tensor(loss).backward()",
        "torch.tensor([loss, 2 * loss]).sum().backward()",
        "parts = [loss, loss.abs()]\n    torch.tensor(parts).mean().backward()",
    )
] + [
    ("DLO106", LOOP.format(backward="loss.detach().backward()", last="model[0].weight.requires_grad = False"), BACKWARD),
    ("DLO101", TWO.format(clear="pass"), TWO.format(clear="second.zero_grad()")),
    ("DLO101", LOOKED.format("loss.backward()").replace("    optimizer.zero_grad()\n", ""), LOOKED.format("loss.backward()")),
    ("DLO103", PLOTTED.format("pass"), PLOTTED.format("loss.backward()")),
    ("DLO103", LOOKED.format("pass"), LOOKED.format("loss.backward()")),
    ("DLO112", SCHEDULED.format("pass"), SCHEDULED.format("scheduler.step()")),
    ("DLO113", DOUBLED.format("model"), DOUBLED.format("other")),
    ("DLO122", SCALED.format("pass"), SCALED.format("scaler.update()")),
    ("DLO122", IN_TURN.format(*BY_SCALER, "pass"), IN_TURN.format(*BY_SCALER, "scaler.update()")),
    (
        "DLO122",
        IN_TURN.format("optimizer.step()", "loss.backward()", "second.step()"),
        IN_TURN.format("scaler.step(optimizer)", "loss.backward()", "second.step()\n    scaler.update()"),
    ),
    ("DLO124", RATE.format("100.0"), RATE.format("0.1")),
]
#: Working bodies that look like a fault.
WORKING = [
    ("DLO122", IN_TURN.format("scaler.step(optimizer)\n    scaler.update()", "loss.backward()", "second.step()")),
    ("DLO122", IN_TURN.format(
        "scaler.unscale_(optimizer)\n    scaler.step(optimizer)", BY_SCALER[1], "[each.update() for each in (scaler,)]")),
    ("DLO106", LOOP.format(backward="(loss * loss.detach()).backward()", last="pass")),
    ("DLO106", LOOP.format(backward="loss.detach().requires_grad_().backward()", last="pass")),
    ("DLO106", LOOP.format(backward="nn.functional.mse_loss(model(x), model(x).detach()).backward()", last="pass")),
    ("DLO101", TWO.format(clear="other.zero_grad()")),
    ("DLO101", TWO.format(clear="[p.grad.zero_() for p in other.parameters() if p.grad is not None]")),
    ("DLO101", "for x in data:\n    model.zero_grad()\n" + TWO.partition("\n")[2].format(clear="second.zero_grad()").replace(
        "    optimizer.zero_grad()\n", "")),
    ("DLO112", SCHEDULED.format("[each.step() for each in (scheduler,)]")),
    ("DLO113", "other.requires_grad_(False)\n" + DOUBLED.format("model")),
    ("DLO124", RATE.format("100.0").replace("StepLR(new, 1)", "LambdaLR(new, lambda epoch: 1e-4)")),
]  # fmt: skip
UNKNOWN = (
    "import torch\n\n\ndef train({names}):\n    for x in data:\n        {first}.zero_grad()\n        {one} = one(x).mean()\n"
    "        {one}.backward()\n        {first}.step()\n{clear}        two(x).mean().backward()\n        {second}.step()\n"
)


@pytest.mark.parametrize("form", FORMS)
def test_faults_are_found_in_every_form_and_repaired_twins_are_silent(form: str, tmp_path: Path):
    for code, faulty, repaired in PAIRS:
        for body, expected in ((faulty, True), (repaired, False)):
            told = found(FORMS[form](Case(code, IMPORTS, MODEL, body, NAMES)), tmp_path, (code,))
            assert (code in told) == expected, (code, body, told)


@pytest.mark.parametrize("form", ["plain", "in_helper", "in_method"])
def test_working_code_that_looks_alike_is_silent(form: str, tmp_path: Path):
    for code, body in WORKING:
        assert found(FORMS[form](Case(code, IMPORTS, MODEL, body, NAMES)), tmp_path, (code,)) == [], (code, body)


@pytest.mark.parametrize(("first", "second"), [("optimizer", "other"), ("d_solver", "g_solver"), ("a", "b")])
def test_unknown_optimizers_with_passes_of_their_own_clear_their_own_gradients(first: str, second: str, tmp_path: Path):
    names = f"one, two, data, {first}, {second}"
    for clear, expected in (("", ["DLO101"]), (f"        {second}.zero_grad()\n", []), ("        two.zero_grad()\n", [])):
        text = UNKNOWN.format(names=names, first=first, second=second, one="loss", clear=clear)
        assert found({"main.py": text}, tmp_path, ("DLO101",)) == expected, text


def test_arithmetic_of_an_unknown_loss_keeps_its_graph(tmp_path: Path):
    text = (
        "import torch\n\n\ndef train(model, optimizer, data):\n    total = 0\n    for x in data:\n"
        "        optimizer.zero_grad()\n"
        "        loss = model(x)\n        loss.backward()\n        optimizer.step()\n        total += {0}\n    return total\n"
    )
    for kept, expected in (
        ("loss * len(x)", ["DLO110"]),
        ("loss / 2 + 1", ["DLO110"]),
        ("loss.item() * len(x)", []),
        ("len(x)", []),
    ):
        assert found({"main.py": text.format(kept)}, tmp_path, ("DLO110",)) == expected, kept
