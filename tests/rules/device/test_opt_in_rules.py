"""Rules that are off unless they are selected are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import torch\nfrom torch import nn\nfrom files import Pictures, options\n"
MODEL = "model = nn.Linear(8, 2).cuda()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
NAMES = ("model", "optimizer")
STEP = (
    "for number in range(9):\n    {clear}\n    loss = model(torch.randn(4, 8, device='cuda')).sum()\n    loss.backward()\n"
    "    optimizer.step()\n    {more}"
)
LOADER = "for x in torch.utils.data.DataLoader({0}):\n    print(model(x.cuda()))"
CUDNN = "torch.manual_seed(0)\ntorch.backends.cudnn.deterministic = True\ntorch.backends.cudnn.benchmark = {0}"
ZEROS = STEP.format(clear="optimizer.zero_grad(set_to_none=False)", more="pass")


def step(more: str) -> str:
    return STEP.format(clear="optimizer.zero_grad()", more=more)


#: Code, faulty and repaired body.
PAIRS = [
    ("DLG106", step("print(loss.item())"), step("if number % 5 == 0:\n        print(loss.item())")),
    ("DLG106", step("print(loss.detach().cpu())"), step("print(loss.detach())")),
    ("DLG110", LOADER.format("Pictures()"), LOADER.format("Pictures(), num_workers=2")),
    ("DLG110", LOADER.format("Pictures(), batch_size=4"), LOADER.format("torch.utils.data.TensorDataset(torch.ones(4, 8))")),
    ("DLG110", ZEROS, step("pass")),
    ("DLR107", "print(torch.optim.Adam(model.parameters()))", "print(torch.optim.Adam(model.parameters(), lr=0.1))"),
    ("DLR107", "print(torch.optim.SGD(model.parameters(), momentum=0.9))", "print(torch.optim.SGD(model.parameters(), 0.1))"),
    (
        "DLR107",
        "print(torch.optim.AdamW(params=model.parameters()))",
        "print(torch.optim.AdamW(model.parameters(), **options))",
    ),
    ("DLR102", CUDNN.format("True"), CUDNN.format("False")),
]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("code", "faulty", "repaired", "form"), [(*pair, form) for pair, form in product(PAIRS, FORMS)])
def test_every_form_is_found_and_its_twin_is_not(code: str, faulty: str, repaired: str, form: str, tmp_path: Path) -> None:
    for name, body, wanted in (("a", faulty, True), ("b", repaired, False)):
        (tmp_path / name).mkdir()
        assert (code in found(FORMS[form](Case(code, IMPORTS, MODEL, body, NAMES)), tmp_path / name, [code])) is wanted


@pytest.mark.parametrize(("code", "faulty"), [pair[:2] for pair in PAIRS])
def test_they_are_off(code: str, faulty: str, tmp_path: Path) -> None:
    text = FORMS["plain"](Case(code, IMPORTS, MODEL, faulty, NAMES))[MAIN]
    findings = Session(Configuration(isolated=True)).check_bytes(tmp_path / "main.py", text.encode()).findings
    assert code not in [finding.code for finding in findings]
