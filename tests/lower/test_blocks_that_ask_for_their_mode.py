"""Equal blocks in a row are applied once or twice, also if they ask whether they train; blocks of another mode are."""

from __future__ import annotations

import pytest

from dllint.finding import Location
from tests.lower.tracing import ops
from tests.rules.harness import findings

#: How a block asks for its mode.
_ASKS = {
    "argument": "x = torch.nn.functional.dropout(x, 0.1, self.training)",
    "keyword": "x = torch.nn.functional.dropout(x, p=0.1, training=self.training)",
    "branch": "if self.training:\n            x = x * 1.0",
    "expression": "x = x * (0.5 if self.training else 1.0)",
    "helper": "x = drop(x, self.training)",
    "part": "x = self.part(x)",
}
_LOOPS = {
    "list": "for block in self.blocks:\n            x = block(x)",
    "numbers": "for _, block in enumerate(self.blocks):\n            x = block(x)",
    "part of them": "for block in self.blocks[: len(self.blocks)]:\n            x = block(x)",
    "more arguments": "for layer in self.blocks:\n            x = layer(x, scale=1)",
}
_NET = """
import torch
from torch import nn


def drop(x, training):
    return nn.functional.dropout(x, 0.1, training)


class Part(nn.Module):
    def forward(self, x):
        return nn.functional.dropout(x, 0.1, self.training)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.part = Part()
        self.fc = nn.Linear(width, width)

    def forward(self, x, scale=1):
        {asks}
        return self.fc(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(8) for _ in range(12)])
        {mode}

    def forward(self, x):
        {loop}
        return x


Net()(torch.zeros(2, 8))
"""


def applied(asks: str, loop: str, mode: str = "") -> int:
    return len(ops(_NET.format(asks=_ASKS[asks], loop=_LOOPS[loop], mode=mode), "linear"))


@pytest.mark.parametrize("loop", _LOOPS)
@pytest.mark.parametrize("asks", _ASKS)
def test_equal_blocks_are_not_applied_one_by_one(asks: str, loop: str) -> None:
    assert 1 <= applied(asks, loop) <= 2


@pytest.mark.parametrize("loop", _LOOPS)
@pytest.mark.parametrize("asks", _ASKS)
def test_a_block_of_another_mode_is_applied(asks: str, loop: str) -> None:
    mode = "self.blocks[6].eval()"
    assert 3 <= applied(asks, loop, mode) <= 6


#: What lets the shape of a tensor be known later than the tensor.
_LEARNS = {
    "layer": "x = mystery(x)\n        x = self.fc(x)",
    "sum": "y = mystery(x)\n        x = self.fc(y) + x",
    "first of two": "y, _ = mystery(x)\n        x = self.fc(y)",
}


def learning(learns: str, loop: str) -> str:
    text = _NET.format(asks=_LEARNS[learns], loop=loop, mode="").replace("return self.fc(x)", "return x")
    return text.replace("import torch\n", "import torch\nfrom elsewhere import mystery\n", 1)


@pytest.mark.parametrize("learns", _LEARNS)
def test_blocks_that_learn_shapes_of_their_own_tensors_are_equal(learns: str) -> None:
    assert 1 <= len(ops(learning(learns, _LOOPS["list"]), "linear")) <= 2


@pytest.mark.parametrize("learns", _LEARNS)
def test_blocks_that_leave_something_behind_are_all_applied(learns: str) -> None:
    text = learning(learns, "kept = []\n        " + _LOOPS["list"])
    assert len(ops(text.replace("x = block(x)", "x = block(x)\n            kept.append(x)"), "linear")) == 12


#: Faults inside of blocks, and in what follows.
_FAULTS = {
    "none": ("", ""),
    "inside": ("x = x @ torch.zeros(9, 8)", ""),
    "in an arm": ("if self.training:\n            x = x @ torch.zeros(9, 8)", ""),
    "behind": ("", "@ torch.zeros(9, 2)"),
    "of the layer": ("x = self.fc(x.reshape(-1, 4))", ""),
}


@pytest.mark.parametrize("loop", ["list", "part of them"])
@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("asks", _ASKS)
def test_findings_are_those_of_applying_all(asks: str, fault: str, loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, behind = _FAULTS[fault]
    text = _NET.format(asks=f"{inside}\n        {_ASKS[asks]}" if inside else _ASKS[asks], loop=_LOOPS[loop], mode="")
    text = text.replace("Net()(torch.zeros(2, 8))", f"Net()(torch.zeros(2, 8)) {behind}")
    found = told(text)
    monkeypatch.setattr("dllint.lower.repeats.same_block", lambda _a, _b: False)
    assert told(text) == found
    if asks == "argument":
        assert any(code.startswith("DLT") for code, *_ in found) == (fault != "none")


def told(text: str) -> list[tuple[str, str, Location]]:
    return [(finding.code, finding.message, finding.location) for finding in findings(text)]
