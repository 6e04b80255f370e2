"""Rates of functional dropout that stay above 0 in evaluation, and those that need not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.training.variants import found

NET = """import torch.nn.functional as F
from torch import nn


def dropped(x, rate):
    return F.dropout(x, rate)


class Net(nn.Module):
    def __init__(self, given, usual=0.5):
        super().__init__()
        self.given, self.usual = given, usual
        self.layer = nn.Linear(8, 8)

    def forward(self, x, flag=True):
        x = self.layer(x)
        {0}
        return x.contiguous()
"""
STAYS = (
    "x = F.dropout(x)",
    "x = F.dropout(x, 0.3)",
    "x = F.dropout2d(x[..., None], p=self.usual)",
    "x = F.dropout(x, self.given)",
    "rate = self.given\n        x = F.dropout(x, rate)",
    "x = dropped(x, self.usual)",
)
CHANGES = (
    "x = F.dropout(x, 0.0)",
    "rate = self.usual if self.training else 0.0\n        x = F.dropout(x, rate)",
    "x = F.dropout(x, self.usual * self.training)",
    "is_train = flag\n        x = F.dropout(x, 0.5 if is_train else 0)",
    "x = dropped(x, 0.3 * float(self.training))",
    "is_train = flag\n        if is_train:\n            x = F.dropout(x, 0.3)",
    "if not self.training:\n            return x\n        x = F.dropout(x, 0.3)",
    "x = F.dropout(x, 0.3, self.training)",
    "x = F.dropout(x, training=True)",
)


@pytest.mark.parametrize("use", STAYS)
def test_a_rate_that_stays(use: str, tmp_path: Path) -> None:
    assert found({"main.py": NET.format(use)}, tmp_path, ["DLS209"]) == ["DLS209"]


@pytest.mark.parametrize("use", CHANGES)
def test_a_rate_that_may_be_nothing(use: str, tmp_path: Path) -> None:
    assert not found({"main.py": NET.format(use)}, tmp_path, ["DLS209"])


PARTS = """import torch
import torch.nn.functional as F
from torch import nn


def dropped(x):
    return F.dropout(x, 0.3)


class Base(nn.Module):
    def drop(self, x):
        return {in_base}


class Holder:
    def drop(self, x):
        return {in_holder}


class Block(Base):
    def __init__(self):
        super().__init__()
        self.layer, self.holder = nn.Linear(8, 8), Holder()

    def forward(self, x):
        x = self.layer(x)
        return {in_block}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)


Net()(torch.zeros(2, 8))
"""
DROP = "F.dropout(x, 0.3)"
#: Where the value is dropped, and whether the module whose mode counts is called ``self`` there.
PLACES = {
    "in the part": ({"in_block": DROP}, True),
    "in a method of its base": ({"in_block": "self.drop(x)", "in_base": DROP}, True),
    "in a function": ({"in_block": "dropped(x)"}, False),
    "in another object": ({"in_block": "self.holder.drop(x)", "in_holder": DROP}, False),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_mode_of_a_part_of_the_model_is_passed_where_it_is_at_hand(place: str, tmp_path: Path) -> None:
    parts, is_at_hand = PLACES[place]
    text = PARTS.format(**{"in_base": "x", "in_holder": "x", "in_block": "x", **parts})
    path = tmp_path / "main.py"
    path.write_text(text)
    told = [item for item in Session(Configuration()).check_file(path).findings if item.code == "DLS209"]
    assert [edit.content for item in told for fix in item.fixes for edit in fix.edits] == [
        ", training=self.training"
    ] * is_at_hand
