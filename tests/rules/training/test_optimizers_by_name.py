"""Functions that make one of several optimizers and return it at once: a call makes one, so the same parameters have one."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import found

START: Final = "import torch\nfrom torch import nn, optim\n\n\n"
SGD, ADAM = "optim.SGD(model.parameters(), lr=0.1)", "optim.Adam(model.parameters(), lr=0.1)"
BEHIND: Final = f"    if kind == 'adam':\n        return {ADAM}\n    raise ValueError(kind)\n"
#: Functions that give an optimizer by its name, which is not known, each written in its own way.
MADE: Final = {
    "returned": f"    if kind == 'sgd':\n        return {SGD}\n{BEHIND}",
    "named": f"    if kind == 'sgd':\n        made = {SGD}\n        print(kind)\n        return made\n{BEHIND}",
    "last": f"    if kind == 'sgd':\n        return {SGD}\n    return {ADAM}\n",
    "nested": f"    if kind != 'adam':\n        if kind == 'sgd':\n            made = {SGD}\n        else:\n"
    f"            raise ValueError(kind)\n        return made\n    return {ADAM}\n",
    "tried": f"    try:\n        if kind == 'sgd':\n            return {SGD}\n    finally:\n        print(kind)\n"
    f"    return {ADAM}\n",
}
USE: Final = """

def fit(kind, model, loader):
    {head}
    {name} = make(kind, model)
    for x, y in loader:
        {name}.zero_grad()
        nn.functional.mse_loss({output}, y).backward()
        {name}.step()


fit(input(), nn.Linear(3, 4), torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(9, 3), torch.ones(9, 4))))
"""


def told(made: str, folder: Path, output: str = "model(x)", name: str = "optimizer") -> list[str]:
    use = USE.format(name=name, output=output, head="head = nn.Linear(4, 4)" if "head" in output else "print(kind)")
    return found({"main.py": f"{START}def make(kind, model):\n{made}{use}"}, folder, ("DLO113",))


@pytest.mark.parametrize(("made", "name"), list(product(MADE, ("optimizer", "chosen"))))
def test_one_call_makes_one_optimizer(made: str, name: str, tmp_path: Path) -> None:
    assert told(MADE[made], tmp_path, name=name) == []


#: Both are made, and only one of them is returned.
BOTH: Final = {
    "before": f"    made = {SGD}\n    if kind == 'adam':\n        other = {ADAM}\n        made.step()\n        return other\n"
    "    return made\n",
    "two": f"    first, second = {SGD}, {ADAM}\n    first.step()\n    return second\n",
}


@pytest.mark.parametrize("made", BOTH)
def test_both_are_made(made: str, tmp_path: Path) -> None:
    assert told(BOTH[made], tmp_path, "head(model(x))") == ["DLO113"]
