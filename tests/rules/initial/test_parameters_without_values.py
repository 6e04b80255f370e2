"""A parameter that nothing fills is found beside others that are filled, in whatever way that is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

HEAD = "import torch\nfrom torch import nn\n\n\n"
CLASS = """class Product(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.{kernel} = nn.Parameter({empty}(inputs, outputs))
        self.{shift} = nn.Parameter({empty}(outputs))
        {call}

    def {method}(self):
        {fill}

    def forward(self, x):
        return x @ self.{kernel} + self.{shift}


"""
USE = "print(Product(8, 4)(torch.randn(2, 8)))\n"
FILLS = [
    "nn.init.xavier_uniform_(self.{kernel})",
    "self.{kernel}.data.uniform_(-0.1, 0.1)",
    "nn.init.normal_(self.{kernel}, std=0.1)",
    "self.{kernel}.data.normal_(0, 0.1)",
    "self.other = nn.Linear(2, 2)\n        self.other.reset_parameters()",
]
FILLS_BOTH = [
    "nn.init.normal_(self.{kernel})\n        nn.init.zeros_(self.{shift})",
    "for weight in self.parameters():\n            nn.init.normal_(weight)",
    "for weight in (self.{kernel}, self.{shift}):\n            weight.data.normal_(0, 0.1)",
    "torch.nn.init.normal_(self.{kernel})\n        fill(self)",
    "self.{kernel}.data.normal_(0, 0.1)\n        self.load_state_dict(torch.load('a.pt', weights_only=True))",
]


def _class(fill: str, empty: str, method: str = "reset_parameters", names: tuple[str, str] = ("weight", "bias")) -> str:
    kernel, shift = names
    filled = fill.format(kernel=kernel, shift=shift)
    return CLASS.format(kernel=kernel, shift=shift, empty=empty, call=f"self.{method}()", method=method, fill=filled)


@pytest.mark.parametrize("names", [("weight", "bias"), ("w", "b")])
@pytest.mark.parametrize("empty", ["torch.empty", "torch.FloatTensor", "torch.Tensor"])
@pytest.mark.parametrize("fill", FILLS)
def test_one_of_two_is_not_filled(fill: str, empty: str, names: tuple[str, str], tmp_path: Path) -> None:
    cls = _class(fill, empty, names=names)
    assert "DLI102" in found({MAIN: HEAD + cls + USE}, tmp_path)
    assert "DLI102" in found({"parts.py": HEAD + cls, MAIN: f"{HEAD}from parts import Product\n\n{USE}"}, tmp_path)


@pytest.mark.parametrize("method", ["reset_parameters", "_init_weights", "init_weights"])
@pytest.mark.parametrize("fill", FILLS_BOTH)
def test_both_are_filled(fill: str, method: str, tmp_path: Path) -> None:
    text = (
        HEAD
        + "def fill(module):\n    nn.init.zeros_(module.bias)\n\n\n" * ("fill(self)" in fill)
        + _class(fill, "torch.empty", method)
    )
    assert "DLI102" not in found({MAIN: text + USE}, tmp_path)


@pytest.mark.parametrize("method", ["reset_parameters", "_init_weights", "init_weights", "initialise", "set_up", "fill_all"])
@pytest.mark.parametrize("empty", ["torch.empty", "torch.FloatTensor", "torch.Tensor"])
@pytest.mark.parametrize("fill", [*FILLS, *FILLS_BOTH[:2]])
def test_the_method_that_fills_is_never_called(fill: str, empty: str, method: str, tmp_path: Path) -> None:
    cls = _class(fill, empty, method)
    idle = cls.replace(f"self.{method}()\n", "pass\n")
    assert idle != cls
    assert "DLI102" in found({MAIN: HEAD + idle + USE}, tmp_path)
    assert "DLI102" in found({"parts.py": HEAD + idle, MAIN: f"{HEAD}from parts import Product\n\n{USE}"}, tmp_path)
    model = f"model = Product(8, 4)\nmodel.{method}()\nprint(model(torch.randn(2, 8)))\n"
    if fill in FILLS_BOTH:
        assert "DLI102" not in found({MAIN: HEAD + idle + model}, tmp_path)


TABLE = """def cleaned(path):
    frame = pd.read_csv(path)
    {statement}
    return frame


print(cleaned("a.csv"))
"""


@pytest.mark.parametrize(
    ("statement", "is_told"),
    [
        ("frame.dropna()", True),
        ("frame.fillna(0)", True),
        ("frame.drop(columns=['a'])", True),
        ("frame.rename(columns={'a': 'b'})", True),
        ("frame = frame.dropna()", False),
        ("frame.dropna(inplace=True)", False),
        ("frame.fillna(0, **options)", False),
        ("frame.update(frame)", False),
        ("frame.info()", False),
    ],
)
def test_tables_that_nothing_keeps(statement: str, is_told: bool, tmp_path: Path) -> None:
    text = "import pandas as pd\nimport torch\n\noptions = {}\n\n\n" + TABLE.format(statement=statement)
    assert ("DLG101" in found({MAIN: text}, tmp_path)) is is_told


ADAPTER = """class Adapter(nn.Module):
    def __init__(self, base, rank=4):
        super().__init__()
        self.base = base
        {beside}
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        {fill}

    def forward(self, x):
        return self.base(x) + x @ self.down.T @ self.up.T

    def size(self):
        return sum(p.numel() for p in self.parameters())


def inject(model):
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            setattr(model, name, Adapter(child))
    return model


print(inject(nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2)))(torch.randn(2, 8)))
"""
#: What goes through parameters and gives them no values.
FROZEN = (
    "for p in self.base.parameters():\n            p.requires_grad_(False)",
    "for p in base.parameters():\n            p.requires_grad = False",
    "for name, p in self.base.named_parameters():\n            p.requires_grad = False  # only the rest is trained",
    "self.base.requires_grad_(False)",
    "self.optimizer = torch.optim.Adam(self.base.parameters(), lr=0.1)",
)


@pytest.mark.parametrize("beside", FROZEN)
def test_what_freezes_or_counts_parameters_fills_none(beside: str, tmp_path: Path) -> None:
    assert "DLI102" in found({MAIN: HEAD + ADAPTER.format(beside=beside, fill="pass")}, tmp_path)
    for fill in ("nn.init.normal_(self.down)", "for p in self.parameters():\n            p.data.normal_()"):
        assert "DLI102" not in found({MAIN: HEAD + ADAPTER.format(beside=beside, fill=fill)}, tmp_path)
