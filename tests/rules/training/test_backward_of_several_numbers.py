"""``backward()`` on what is not one number, held against torch: by shape, by what has made it, and by where it stands."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

torch = pytest.importorskip("torch")

IMPORTS = "import torch\nfrom torch import nn"
SETUP = """model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn({0}, 8), torch.randn({0}, 3)"""
LOSSES = (
    "nn.functional.mse_loss(model(x), y)",
    "nn.functional.mse_loss(model(x), y, reduction='none')",
    "nn.MSELoss(reduction='none')(model(x), y).mean(dim=1)",
    "(model(x) - y).pow(2).sum(-1)",
    "nn.functional.mse_loss(model(x), y) + model(x).square().sum(1)",
    "nn.functional.mse_loss(model(x), y) + model(x).square().sum()",
    "(model(x) - y).abs().sum(dim=(0, 1), keepdim=True)",
    "torch.distributions.Normal(model(x), 1.0).log_prob(y).sum(-1)",
    "torch.stack([model(x).mean(), y.mean()])",
    "model(x)[0, 0]",
    "model(x)[0]",
)
MOVES = ("", ".contiguous()", ".view(-1)", ".clone()")
BODY = "for step in range(3):\n    optimizer.zero_grad()\n    loss = ({0}){1}\n    loss.backward()\n    optimizer.step()\n"
NAMES = ("model", "optimizer", "x", "y")


def case(loss: str, move: str, samples: int) -> Case:
    return Case("DLO132", IMPORTS, SETUP.format(samples), BODY.format(loss, move), NAMES)


def raises(text: str) -> bool:
    try:
        exec(compile(text, "main.py", "exec"), {"__name__": "__main__"})
    except RuntimeError as error:
        return "scalar outputs" in str(error)
    return False


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize(("loss", "move"), list(itertools.product(LOSSES, MOVES)))
def test_what_is_told_raises_and_what_is_not_runs(loss: str, move: str, samples: int, tmp_path: Path) -> None:
    files = FORMS["plain"](case(loss, move, samples))
    assert bool(found(files, tmp_path, ["DLO132"])) is raises(files["main.py"])


@pytest.mark.parametrize("form", FORMS)
def test_it_is_found_in_every_form(form: str, tmp_path: Path) -> None:
    assert found(FORMS[form](case(LOSSES[1], "", 4)), tmp_path, ["DLO132"]) == ["DLO132"]


SILENT = (
    "try:\n    model(x).backward()\nexcept RuntimeError:\n    pass\n",
    "import pytest\nwith pytest.raises(RuntimeError):\n    model(x).backward()\n",
    "model(x).backward(torch.ones(4, 3))\n",
    "model(x).backward(gradient=torch.ones_like(y))\n",
    "def f(unknown):\n    unknown(model(x)).backward()\n",
    "from elsewhere import flag\nloss = model(x)\nif flag:\n    loss = loss.mean()\n    loss.backward()\n",
)
TOLD = (
    "try:\n    model(x).backward()\nexcept KeyboardInterrupt:\n    pass\n",
    "with torch.enable_grad():\n    model(x).backward(retain_graph=True)\n",
    "torch.nn.functional.cross_entropy(model(x), torch.zeros(4, dtype=torch.long), reduction='none').backward()\n",
)


@pytest.mark.parametrize("body", SILENT)
def test_errors_that_are_expected_and_losses_that_are_not_known(body: str, tmp_path: Path) -> None:
    given = Case("DLO132", IMPORTS, SETUP.format(4), body, NAMES)
    assert not found(FORMS["plain"](given), tmp_path, ["DLO132"])


@pytest.mark.parametrize("body", TOLD)
def test_other_contexts_change_nothing(body: str, tmp_path: Path) -> None:
    given = Case("DLO132", IMPORTS, SETUP.format(4), body, NAMES)
    assert found(FORMS["plain"](given), tmp_path, ["DLO132"]) == ["DLO132"]


UNKNOWN_SETUP = """model = elsewhere.build()
batches = torch.utils.data.DataLoader(elsewhere.samples(), batch_size=4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = {0}"""
UNKNOWN_BODY = """for x, y in batches:
    optimizer.zero_grad()
    loss = {0}
    loss.backward()
    optimizer.step()
"""
UNKNOWN = (
    ("nn.CrossEntropyLoss(reduction='none')", "criterion(model(x), y)", True),
    ("nn.BCEWithLogitsLoss(reduction='none')", "-2 * criterion(model(x), y.float())", True),
    ("nn.CrossEntropyLoss()", "criterion(model(x), y)", False),
    ("nn.CrossEntropyLoss(reduction='none')", "criterion(model(x), y).mean()", False),
    ("nn.CrossEntropyLoss(reduction='none')", "elsewhere.weighed(criterion(model(x), y))", False),
    ("nn.CrossEntropyLoss(reduction='none')", "criterion(model(x), y)[0]", False),
    ("nn.CrossEntropyLoss(reduction='none')", "criterion(model(x), y).dot(y.float())", False),
    ("nn.CrossEntropyLoss(reduction=elsewhere.how)", "criterion(model(x), y)", False),
    ("nn.MSELoss(reduction='none')", "criterion(model(x), y)", False),
    ("nn.MSELoss(reduction='none')", "criterion(nn.Linear(8, 3)(torch.randn(4, 8)), y)", True),
)


def unknown(criterion: str, loss: str) -> Case:
    names = ("model", "optimizer", "batches", "criterion")
    return Case("DLO132", f"{IMPORTS}\nimport elsewhere", UNKNOWN_SETUP.format(criterion), UNKNOWN_BODY.format(loss), names)


@pytest.mark.parametrize(("criterion", "loss", "is_bad"), UNKNOWN)
def test_losses_of_samples_that_are_not_known(criterion: str, loss: str, is_bad: bool, tmp_path: Path) -> None:
    assert bool(found(FORMS["plain"](unknown(criterion, loss)), tmp_path, ["DLO132"])) == is_bad


@pytest.mark.parametrize("form", FORMS)
def test_unknown_samples_in_every_form(form: str, tmp_path: Path) -> None:
    assert found(FORMS[form](unknown(*UNKNOWN[0][:2])), tmp_path, ["DLO132"]) == ["DLO132"]


ONE_BY_ONE = (
    ("batch_size=4", "{body}", "criterion(model(x), y)", True),
    ("elsewhere.size()", "{body}", "criterion(model(x), y)", True),
    ("batch_size=4", "for i, (x, y) in enumerate(batches):{body}", "criterion(model(x), y)", True),
    ("batch_size=4", "for parts in batches:{body}", "criterion(model(parts[0]), parts['y'].cuda())", True),
    ("batch_size=1", "{body}", "criterion(model(x), y)", False),
    ("shuffle=True", "{body}", "criterion(model(x), y)", False),
    ("batch_size=None", "{body}", "criterion(model(x), y)", False),
    ("batch_sampler=elsewhere.sampler()", "{body}", "criterion(model(x), y)", False),
    ("batch_size=4", "{body}", "criterion(model(x)[0], y[0])", False),
    ("batch_size=4", "{body}", "criterion(model(x), first)", False),
    ("batch_size=4", "for x, y in ((u, v) for a, b in batches for u, v in zip(a, b)):{body}", "criterion(model(x), y)", False),
    ("batch_size=4", "for x, y in elsewhere.samples():{body}", "criterion(model(x), y)", False),
    ("batch_size=4", "{body}", "criterion(nn.Linear(8, 3)(torch.randn(1, 8)), y)", False),
    ("batch_size=4", "{body}", "criterion(nn.Linear(8, 3)(torch.randn(8)), y)", False),
)


@pytest.mark.parametrize(("size", "loop", "loss", "is_bad"), ONE_BY_ONE)
def test_samples_that_may_come_one_by_one(size: str, loop: str, loss: str, is_bad: bool, tmp_path: Path) -> None:
    setup = UNKNOWN_SETUP.format("nn.CrossEntropyLoss(reduction='none')").replace("batch_size=4", size)
    head, _, rest = UNKNOWN_BODY.format(loss).partition("\n")
    rest = rest.replace("    loss =", "    first = y[0]\n    loss =", "first" in loss)
    body = loop.format(body="\n" + rest if loop != "{body}" else f"{head}\n{rest}")
    given = Case("DLO132", f"{IMPORTS}\nimport elsewhere", setup, body, ("model", "optimizer", "batches", "criterion"))
    assert bool(found(FORMS["plain"](given), tmp_path, ["DLO132"])) == is_bad


def test_samples_within_a_batch(tmp_path: Path) -> None:
    body = """for x, y in batches:
    for u, v in zip(x, y):
        loss = criterion(model(u), v)
        loss.backward()
"""
    setup = UNKNOWN_SETUP.format("nn.BCEWithLogitsLoss(reduction='none')")
    given = Case("DLO132", f"{IMPORTS}\nimport elsewhere", setup, body, ("model", "batches", "criterion"))
    assert not found(FORMS["plain"](given), tmp_path, ["DLO132"])
