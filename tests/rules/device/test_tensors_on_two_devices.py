"""Tensors that meet on two devices are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import torch
from torch import nn


def beside(other, *size):
    return torch.rand(*size, device=other.device)


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, number):
        return torch.randn(8), torch.randint(0, 2, ())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
"""
DEVICE = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'
MODEL = "model = Net(){move}\nloader = torch.utils.data.DataLoader(Samples(), batch_size=4)"
NAMES = ("model", "loader", "device")
#: How a model is moved → how its data are, under the names of the program.
MOVES = {
    ".to(device)": ".to(device)",
    ".cuda()": ".cuda()",
    ".to('cuda:0')": ".to('cuda:0')",
    ".to(device, torch.float32)": ".to(device, non_blocking=True)",
}
LABELLED = (
    "labelled = torch.utils.data.TensorDataset(torch.randn(8, 8), torch.tensor([0, 1, 1, 0, 1, 1, 1, 0]))\n"
    "count = torch.bincount(labelled.tensors[1], minlength=2).float()\nweight = count.sum() / (2 * count)"
)
WEIGHED = "x, y = labelled.tensors\nprint(criterion(model(x{0}), y{0}))"
#: Code → faulty and repaired body, both with what is to be done with data in place of a mark.
PAIRS = {
    "DLG103": [
        ("print(model(torch.randn(4, 8)))", "print(model(torch.randn(4, 8){0}))"),
        ("for x, y in loader:\n    print(model(x))", "for x, y in loader:\n    x = x{0}\n    print(model(x))"),
        (
            "for x, y in loader:\n    x = x{0}\n    print(nn.functional.cross_entropy(model(x), y))",
            "for x, y in loader:\n    x, y = x{0}, y{0}\n    print(nn.functional.cross_entropy(model(x), y))",
        ),
        (
            "criterion = nn.CrossEntropyLoss()\nfor x, y in loader:\n    print(criterion(model(x{0}), y))",
            "criterion = nn.CrossEntropyLoss()\nfor x, y in loader:\n    print(criterion(model(x{0}), y{0}))",
        ),
        (
            "criterion = nn.CrossEntropyLoss(weight=torch.ones(2))\nfor x, y in loader:\n"
            "    print(criterion(model(x{0}), y{0}))",
            "criterion = nn.CrossEntropyLoss(weight=torch.ones(2)){0}\nfor x, y in loader:\n"
            "    print(criterion(model(x{0}), y{0}))",
        ),
        (
            "target = torch.zeros(4, 2)\nprint(nn.MSELoss()(model(torch.randn(4, 8){0}), target))",
            "target = torch.zeros(4, 2){0}\nprint(nn.MSELoss()(model(torch.randn(4, 8){0}), target))",
        ),
        (
            "target = torch.ones(4, 2)\nprint(nn.BCEWithLogitsLoss()(model(torch.randn(4, 8){0}), target))",
            "target = torch.ones(4, 2){0}\nprint(nn.BCEWithLogitsLoss()(model(torch.randn(4, 8){0}), target))",
        ),
        (
            f"{LABELLED}\ncriterion = nn.CrossEntropyLoss(weight=weight)\n{WEIGHED}",
            f"{LABELLED}\ncriterion = nn.CrossEntropyLoss(weight=weight){{0}}\n{WEIGHED}",
        ),
    ],
    "DLG102": [
        (f"for x, y in loader:\n    scores = model(x{{0}})\n    print({used.format(made)})",
         f"for x, y in loader:\n    scores = model(x{{0}})\n    print({used.format(f'{made}{{0}}')})")
        for used, made in (
            ("scores + {}", "torch.randn(4, 2)"),
            ("torch.cat([scores, {}])", "torch.zeros(1, 2)"),
            ("scores @ {}", "torch.eye(2)"),
            ("torch.where(scores > 0, scores, {})", "torch.ones(4, 2)"),
            ("scores * {}", "torch.arange(2.0)"),
            ("scores - {}", "torch.tensor([0.5, 0.1])"),
        )
    ] + [
        ("times = torch.randint(9, (4,)){0}\nr = torch.exp(torch.arange(2) / 2)\nprint(times[:, None] * r)",
         "times = torch.randint(9, (4,)){0}\nr = torch.exp(torch.arange(2) / 2).to(times.device)\nprint(times[:, None] * r)"),
        ("x = torch.randn(4, 8){0}\nprint(beside(x, 4, 8) * torch.ones(8))",
         "x = torch.randn(4, 8){0}\nprint(beside(x, 4, 8) * beside(beside(x, 1), 8))"),
    ],
}  # fmt: skip
#: What runs on every device, although something was made on the CPU.
SOUND = (
    "print(model(torch.randn(4, 8){0}) * torch.tensor(2.0))",
    "print(model(torch.randn(4, 8){0})[torch.arange(2)])",
    "scores = model(torch.randn(4, 8){0})\nscores[:1] = torch.zeros(1, 2)\nprint(scores)",
    "scores = model(torch.randn(4, 8){0}).cpu()\nprint(scores + torch.zeros(4, 2))",
    "scores = model(torch.randn(4, 8){0})\nprint(torch.zeros(4, 2).expand_as(scores))",
    "print(beside(model.layer.weight, 2) + torch.ones(2))",
    "x = torch.randn(4, 8)\nprint(beside(x, 8) + x)",
    "x = torch.randn(4, 8)\nprint(model(x{0}).to(x.device) + torch.ones(4, 2))",
    "scores = model(torch.randn(4, 8){0})\nprint(scores + torch.zeros_like(scores) + scores.new_ones(2))",
    "model.loss = nn.CrossEntropyLoss(torch.ones(2))\nmodel.to('cuda')\nfor x, y in loader:\n"
    "    print(model.loss(model(x.to('cuda')), y.to('cuda')))",
    "table = nn.Embedding.from_pretrained(torch.ones(9, 8)){0}\nprint(model(table(torch.arange(4){0})))",
    "model.cpu()\nprint(model(torch.randn(4, 8)))",
    "other = Net()\nprint(other(torch.randn(4, 8)))",
    "torch.set_default_device('cuda')\nprint(model(torch.randn(4, 8)))",
    "def sent(x):\n    return x{0}\n\nprint(model(sent(torch.randn(4, 8))))",
    "batch = {{'x': torch.randn(4, 8)}}\nbatch = {{key: value{0} for key, value in batch.items()}}\nprint(model(batch['x']))",
)


def told(code: str, body: str, move: str, form: str, folder: Path) -> bool:
    folder.mkdir()
    case = Case(code, IMPORTS, DEVICE + MODEL.format(move=move), body.format(MOVES[move]), NAMES)
    return code in found(FORMS[form](case), folder, [code])


@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize(("code", "pair"), [(code, pair) for code, pairs in PAIRS.items() for pair in pairs])
def test_every_form_is_found_and_its_twin_is_not(
    code: str, pair: tuple[str, str], move: str, form: str, tmp_path: Path
) -> None:
    faulty, repaired = pair
    assert told(code, faulty, move, form, tmp_path / "a")
    assert not told(code, repaired, move, form, tmp_path / "b")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("body", SOUND)
@pytest.mark.parametrize("move", MOVES)
def test_what_runs_on_every_device_is_not_told(body: str, move: str, tmp_path: Path) -> None:
    for number, code in enumerate(PAIRS):
        assert not told(code, body, move, "plain", tmp_path / str(number))


@pytest.mark.parametrize("made", ["torch.zeros_like(given)", "torch.tensor(given)", "torch.normal(given, 1.0)", "given"])
def test_tensors_that_are_not_known_are_not_told(made: str, tmp_path: Path) -> None:
    for number, code in enumerate(PAIRS):
        body = f"model = Net().cuda()\nprint(model({made}))\nprint(model(torch.randn(4, 8).cuda()) + {made})"
        (tmp_path / str(number)).mkdir()
        case = Case(code, f"{IMPORTS}\nfrom settings import given\n", "", body, ())
        assert not found(FORMS["plain"](case), tmp_path / str(number), [code])


@pytest.mark.parametrize("device", ["'cpu'", "torch.device('cpu')", "given", "'cuda' if flag else given"])
def test_devices_that_are_not_known_are_not_told(device: str, tmp_path: Path) -> None:
    for number, code in enumerate(PAIRS):
        case = Case(code, IMPORTS + "from settings import flag, given", "model = Net()",
                    f"model.to({device})\nprint(model(torch.randn(4, 8)) + torch.zeros(4, 2))", ("model",))  # fmt: skip
        (tmp_path / str(number)).mkdir()
        assert not found(FORMS["plain"](case), tmp_path / str(number), [code])
