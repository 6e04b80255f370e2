"""One loss that is differentiated twice raises, whatever has computed it; several losses, and graphs that are kept, do not."""

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
LOOP = "for x in data:\n    optimizer.zero_grad()\n    loss = {loss}\n{passes}    optimizer.step()\n"
LOSSES = ("nn.functional.mse_loss(model(x), x)", "model(x).contiguous().square().mean()", "0.5 * sum([model(x).exp().mean()])")
TWICE = (
    "    loss.backward()\n    loss.backward()\n",
    "    loss.backward()\n    print(loss.item())\n    last = loss == 1\n    loss.backward()\n",
    "    if x.sum() > 0:\n        loss.backward()\n        loss.backward()\n",
    "    loss.backward(retain_graph=True)\n    loss.backward()\n    loss.backward()\n",
)
WORKING = (
    "    loss.backward()\n",
    "    loss.backward(retain_graph=True)\n    loss.backward()\n",
    "    if x.sum() > 0:\n        loss.backward()\n    else:\n        loss.backward()\n",
    "    loss.backward()\n    loss = {loss}\n    loss.backward()\n",
    "    try:\n        loss.backward()\n    except RuntimeError:\n        loss.backward()\n",
    "    loss.backward()\n    try:\n        loss.backward()\n    except RuntimeError:\n        print('as expected')\n",
)


@pytest.mark.parametrize("model", [KNOWN, FOREIGN], ids=["known", "foreign"])
@pytest.mark.parametrize("form", FORMS)
def test_a_second_pass_of_one_loss_is_told_in_every_form(form: str, model: str, tmp_path: Path):
    for loss in LOSSES:
        for passes in TWICE:
            body = LOOP.format(loss=loss, passes=passes)
            told = found(FORMS[form](Case(CODE, IMPORTS, model + SETUP, body, NAMES)), tmp_path, (CODE,))
            assert set(told) == {CODE}, body


@pytest.mark.parametrize("model", [KNOWN, FOREIGN], ids=["known", "foreign"])
@pytest.mark.parametrize("form", ["plain", "in_helper", "in_method"])
def test_working_passes_are_silent(form: str, model: str, tmp_path: Path):
    for loss in LOSSES:
        for passes in WORKING:
            body = LOOP.format(loss=loss, passes=passes.format(loss=loss))
            assert found(FORMS[form](Case(CODE, IMPORTS, model + SETUP, body, NAMES)), tmp_path, (CODE,)) == [], body


def test_objects_that_are_not_known_are_told_apart(tmp_path: Path):
    text = (
        "import torch\n\n\ndef train(model, optimizer, data):\n    for x in data:\n        optimizer.zero_grad()\n"
        "        losses = model(x)\n        {0}.backward()\n        {1}.backward()\n        optimizer.step()\n"
    )
    for first, second in (("losses[0]", "losses[1]"), ("losses.a", "losses.b"), ("sum(losses)", "sum(losses)")):
        assert found({"main.py": text.format(first, second)}, tmp_path, (CODE,)) == [], first
    for first, second in (("one", "two"), ("losses", "two")):
        several = text.replace(
            "losses = model(x)\n", "losses = iter(model(x))\n        one = next(losses)\n        two = next(losses)\n"
        )
        assert found({"main.py": several.format(first, second)}, tmp_path, (CODE,)) == [], first
    again = text.replace("{0}.backward()\n", "{0}.backward()\n        losses = list(model(x))[1]\n")
    assert found({"main.py": again.format("losses", "losses")}, tmp_path, (CODE,)) == []
    assert found({"main.py": text.format("losses", "losses")}, tmp_path, (CODE,)) == [CODE]


def test_a_graph_that_keeps_nothing_and_losses_of_no_torch_are_silent(tmp_path: Path):
    text = (
        "import torch\n\nweight = torch.zeros(3, requires_grad=True)\noptimizer = torch.optim.SGD([weight], lr=0.1)\n"
        "for x in range(10):\n    optimizer.zero_grad()\n    loss = (weight + 1).sum()\n"
        "    loss.backward()\n    loss.backward()\n    optimizer.step()\n"
    )
    assert found({"main.py": text}, tmp_path, (CODE,)) == []
    text = (
        "import nets\n\n\ndef train(model, optimizer, data):\n    for x in data:\n        optimizer.zero_grad()\n"
        "        loss = model(x)\n        loss.backward()\n        loss.backward()\n        optimizer.step()\n"
    )
    assert found({"main.py": text}, tmp_path, (CODE,)) == []
