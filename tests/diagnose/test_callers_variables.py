"""Functions that read the variables of who has called them do so as well where they are replaced."""

from __future__ import annotations

import sys
from itertools import product

import pytest

from dllint.diagnose.probes.patching import Patches


class Library:
    """A function that finds a name in its caller's variables, ``up`` frames above."""

    @staticmethod
    def look(name, other=None, up=0):
        return sys._getframe(up + 1).f_locals[name]


def through(original, *args, **kwargs):
    return original(*args, **kwargs)


def called(way):
    hidden = "the caller's"

    def helper(name, up):
        return Library.look(name, up=up)

    return {
        "plain": lambda: Library.look("hidden", up=1),
        "named": lambda: helper("hidden", 2),
        "placed": lambda: (lambda: Library.look("hidden", None, 2))(),
    }[way]() if way != "here" else (hidden and Library.look("hidden"))  # fmt: skip


@pytest.mark.parametrize(
    ("ways", "ended", "failed"), list(product(range(4), ([], [0], [0, 1]), (None, lambda what, error: None)))
)
def test_variables_are_found_through_replacements(ways, ended, failed):
    before = vars(Library)["look"]
    patches = [Patches(failed) for _ in range(ways)]
    for one in patches:
        one.wrap(Library, "look", through, depth=("up", 2))
        Library.look = staticmethod(Library.look)
    try:
        for number in ended:
            if number < len(patches):
                patches[number].undo()
        assert [called(way) for way in ("plain", "named", "placed", "here")] == ["the caller's"] * 4
    finally:
        Library.look = before


SCRIPTED = """
import torch
from torch import nn

def doubled(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) * 2

MAKE
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(30):
    loss = (net(torch.ones(3, 4)) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 10:
        print(made().use(torch.ones(2)))
print(loss.item())
"""
CLASS = """
@torch.jit.script
class Twice:
    def __init__(self):
        self.n = 1

    def use(self, x: torch.Tensor) -> torch.Tensor:
        return HELPER(x) + self.n
"""
INSIDE = """
def made():
    HELPER = doubled
    @torch.jit.script
    class Inner:
        def __init__(self):
            self.n = 1
        def use(self, x: torch.Tensor) -> torch.Tensor:
            return HELPER(x) + self.n
    return Inner()
"""


@pytest.mark.parametrize(
    "make",
    [
        CLASS.replace("HELPER", "doubled") + "made = Twice",
        CLASS.replace("HELPER", "doubled").replace("@torch.jit.script", "") + "made = lambda: torch.jit.script(Twice)()",
        INSIDE.replace("HELPER", "inner"),
    ],
    ids=["decorator", "call in a loop", "local variables"],
)
def test_classes_are_scripted(diagnose, run_in_fork, tmp_path, make):
    done = diagnose(SCRIPTED.replace("MAKE", make))
    status, plain, error = run_in_fork(["train.py"], tmp_path / "project", plain=True)
    assert status == 0, error
    assert (done.status, done.stdout) == (0, plain), done.stderr
