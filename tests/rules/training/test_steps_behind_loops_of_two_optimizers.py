"""Of two optimizers of one loop, one is stepped behind it: only the gradients of the last pass are applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLO103"
GIVEN = "def train({d}, {g}, {od}, {og}, loader, criterion, epochs):\n"
MADE = (
    "def train(loader, criterion, epochs):\n"
    "    {d}, {g} = nn.Linear(3, 1), nn.Linear(2, 3)\n"
    "    {od} = torch.optim.Adam({d}.parameters())\n"
    "    {og} = torch.optim.Adam({g}.parameters())\n"
)
TEXT = """import torch
from torch import nn


{start}    for epoch in range(epochs):
        for x in loader:
            {od}.zero_grad()
            criterion({d}(x), {d}({g}(torch.randn(4, 2)).detach())).backward()
            {one}
            {og}.zero_grad()
            (-{d}({g}(torch.randn(4, 2))).mean()).backward()
            {two}
        {behind}
"""
NAMES = (
    {"d": "D", "g": "G", "od": "solver_d", "og": "solver_g"},
    {"d": "critic", "g": "generator", "od": "first", "og": "second"},
)


def codes(tmp_path: Path, start: str, names: dict[str, str], one: str, two: str, behind: str) -> list[str]:
    filled = {key: part.format(**names) for key, part in (("start", start), ("one", one), ("two", two), ("behind", behind))}
    return found({"main.py": TEXT.format(**filled, **names)}, tmp_path, (CODE,))


@pytest.mark.parametrize("start", [GIVEN, MADE], ids=["given", "made"])
@pytest.mark.parametrize("names", NAMES, ids=["usual", "others"])
def test_a_step_that_stands_behind_the_loop_is_told(start: str, names: dict[str, str], tmp_path: Path):
    assert codes(tmp_path, start, names, "print(x.shape)", "{og}.step()", "{od}.step()") == [CODE]
    assert codes(tmp_path, start, names, "{od}.step()", "print(x.shape)", "{og}.step()") == [CODE]


@pytest.mark.parametrize("start", [GIVEN, MADE], ids=["given", "made"])
@pytest.mark.parametrize("names", NAMES, ids=["usual", "others"])
@pytest.mark.parametrize(
    ("one", "two", "behind"),
    [
        ("{od}.step()", "{og}.step()", "print(epoch)"),
        ("{od}.step()", "{og}.step()", "{od}.step()"),
        ("for each in ({od},):\n                each.step()", "{og}.step()", "{od}.step()"),
        ("criterion.update({od})", "{og}.step()", "{od}.step()"),
    ],
)
def test_steps_in_the_loop_are_silent(start: str, names: dict[str, str], one: str, two: str, behind: str, tmp_path: Path):
    assert codes(tmp_path, start, names, one, two, behind) == []
