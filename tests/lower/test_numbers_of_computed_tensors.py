"""Numbers that a program takes out of tensors which it computes of written ones, against what a run gives."""

from __future__ import annotations

import math
from itertools import product

import pytest

from dllint.domains.lattice import UnknownFloat
from dllint.ir.values import ListVal
from tests.lower.tracing import lower, values

pytestmark = pytest.mark.oracle

HEAD = "import math\nimport numpy as np\nimport torch\n"
#: Tensors, as constructors of models compute them: rates that rise, widths in steps, sizes of levels.
COMPUTED = (
    "torch.linspace(0, 0.3, 6)", "torch.linspace(0, 0.0, 4)", "torch.arange(5) * 8 + 16", "4 ** torch.arange(3)",
    "torch.round(torch.divide(24 * torch.pow(2.5, torch.arange(4)), 8)) * 8", "torch.arange(7).float() / 2",
    "torch.round(torch.log((torch.arange(13) * 36.0 + 24) / 24) / math.log(2.5))", "torch.unique(torch.tensor([3, 1, 3]))",
    "torch.diff(torch.tensor([0, 2, 5, 9]))", "torch.tensor([[1, 4], [2, 9]]).diff(dim=0)", "(torch.arange(4) * 2).flip(0)",
    "np.linspace(0, 0.3, 6)", "np.arange(3) ** 2 * 8", "np.round(np.linspace(16, 64, 4) / 8) * 8",
)  # fmt: skip
READ = (
    "x.tolist()",
    "[y.item() for y in x.reshape(-1)]",
    "[float(y) for y in x.reshape(-1)]",
    "[int(y) for y in x.reshape(-1)]",
)
AROUND = ("x = {x}\nr = {read}\n", "def f():\n    x = {x}\n    return {read}\nr = f()\n")


@pytest.mark.parametrize(("x", "read"), list(product(COMPUTED, READ)))
@pytest.mark.parametrize("around", AROUND)
def test_numbers_are_those_of_a_run(x: str, read: str, around: str) -> None:
    text = HEAD + around.format(x=x, read=read)
    names: dict = {}
    exec(text, names)
    found = values(text)["r"]
    assert isinstance(found, ListVal), text
    assert _agrees(found, names["r"]), (text, found.items, names["r"])


def _agrees(found: object, real: object) -> bool:
    if isinstance(found, ListVal) and found.rest is not None:  # of as many elements as others are different
        return not found.items
    if isinstance(found, ListVal):
        return isinstance(real, list) and len(found.items) == len(real) and all(map(_agrees, found.items, real))
    if isinstance(found, UnknownFloat) and isinstance(real, float):
        return found.low is not None and found.high is not None and found.low <= real <= found.high < found.low + 1e-4
    return type(found) is type(real) and found == real


#: Questions about a number; a block that is left out where its rate is 0 is the usual one.
ASKED = ("r > 0", "r > 0.0", "0 < r", "r", "r == 0", "r != 0.0", "r < 0.5", "r >= 0.05", "not r", "r <= 1", "round(r) == 0",
         "math.ceil(r) == 1", "int(r) == 0", "math.floor(r * 0 + r) == 0")  # fmt: skip


@pytest.mark.parametrize("place", [0, 1, 5])
@pytest.mark.parametrize("asked", ASKED)
def test_questions_that_rounding_does_not_decide_are_answered(place: int, asked: str) -> None:
    text = HEAD + f"r = torch.linspace(0, 0.3, 6)[{place}].item()\nwidth = 3 if {asked} else 4\n"
    names: dict = {}
    exec(text, names)
    found = values(text)["width"]
    assert found == names["width"] or (not isinstance(found, int) and "* 0" in asked), (text, found)


@pytest.mark.parametrize("asked", ["r > 0.06", "r == 0.06", "r >= 0.06", "r - 0.06 > 0"])
def test_what_rounding_decides_is_open(asked: str) -> None:
    found = values(HEAD + f"r = torch.linspace(0, 0.3, 6)[1].item()\nwidth = 3 if {asked} else 4\n")["width"]
    assert not isinstance(found, int)


#: What may have changed a tensor, or is drawn, trained or given.
OPEN = (
    "x = torch.rand(3)\nr = x[0].item()", "x = torch.linspace(0, 1, 3)\nx[0] = given\nr = x[0].item()",
    "x = torch.arange(3) + given\nr = x[1].item()",
    "x = torch.arange(3)\nfor _ in given:\n    x = x + 1\nr = x[1].item()",
    "x = torch.arange(3) * 1\nr = 0\nfor _ in given:\n    x = x * 2\n    r = x[1].item()",
    "x = torch.nn.Parameter(torch.linspace(1, 2, 3))\nr = x[1].item()",
    "x = torch.linspace(1, 2, 3).requires_grad_()\nr = x[1].item()",
    "x = torch.arange(3) * 2\nif given:\n    x = x + 1\nr = x[1].item()",
)  # fmt: skip


@pytest.mark.parametrize("text", OPEN)
def test_other_tensors_are_not_known(text: str) -> None:
    found = values(HEAD + "from elsewhere import given\n" + text + "\n")["r"]
    assert not isinstance(found, (int, float)), found
    assert not (isinstance(found, UnknownFloat) and found.low is not None)


def test_what_a_constructor_keeps_may_be_loaded() -> None:
    text = (
        HEAD
        + """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rates", torch.linspace(0, 0.5, 3) * 2)
    def forward(self, x):
        if self.rates[2].item() > 0.7:
            return x @ torch.ones(5, 4)
        return x @ torch.ones(3, 4)
Net()(torch.ones(2, 3))
"""
    )
    assert not any(op.faults and not op.path for program in lower(text).programs for op in program.ops)


def test_the_number_of_different_elements() -> None:
    made = "w = (torch.arange(9) // 3) * 8\nn = len(torch.unique(w))\n"
    found = values(HEAD + made + "u, c = torch.unique(w, return_counts=True)\nc = c.tolist()\n")
    assert found["n"] == 3
    assert found["c"].items == [3, 3, 3]
    assert math.prod(found["c"].items) == 27
