"""A parameter that a function makes for its own use keeps the numbers of its tensor; one that may be trained does not."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

HEAD = "import torch\nfrom torch import nn\n\n\n"
#: Positive numbers below 1 in the shape of ``x``.
DRAWN = (
    "{0} = torch.empty(x.size())\n{0}.uniform_(1e-5, 1.0 - 1e-5)",
    "{0} = torch.FloatTensor(x.size())\n{0} = {0}.uniform_(1e-5, 1.0 - 1e-5)",
    "{0} = torch.rand(4, 2).clamp(1e-5, 1.0 - 1e-5)",
    "{0} = torch.rand(4, 2) * 0.9 + 0.05",
)
#: How a function makes a parameter of it, under the name ``p``.
MADE = (
    "{0} = nn.Parameter({0})\np = {0}",
    "p = nn.Parameter({0})",
    "p = nn.Parameter({0}.contiguous(), requires_grad=True)",
    "p = nn.Parameter(data={0})",
)
USE = "return x + torch.log(p) - torch.log(1.0 - p)"


def function(lines: str, indent: int = 4) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in lines.split("\n"))


def told(text: str) -> bool:
    return "DLN101" in [found.code for found in findings(text)]


@pytest.mark.parametrize(("drawn", "made"), list(product(DRAWN, MADE)))
def test_local_parameters_keep_their_numbers(drawn: str, made: str) -> None:
    body = f"{drawn}\n{made}\n{USE}".format("noise")
    assert not told(f"{HEAD}def draw(x):\n{function(body)}")
    method = f"class Net(nn.Module):\n    def forward(self, x):\n{function(body, 8)}\n\nNet()(torch.ones(4, 2))\n"
    assert not told(HEAD + method)


@pytest.mark.parametrize("made", MADE)
def test_numbers_that_are_not_positive(made: str) -> None:
    body = f"noise = torch.rand(4, 2) - 0.5\n{made}\n{USE}".format("noise")
    assert told(f"{HEAD}def draw(x):\n{function(body)}")


TRAINED = (
    "{made}\nself.kept = p\n{use}",
    "{made}\nself.others = [p]\n{use}",
    "{made}\nself.register_parameter('kept', p)\n{use}",
    "{made}\noptimizer = torch.optim.SGD([p], lr=0.1)\nfor _ in range(3):\n    loss = (x + torch.log(p)).sum()\n"
    "    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\nreturn loss",
)


@pytest.mark.parametrize(("drawn", "trained"), list(product(DRAWN[:3], TRAINED)))
def test_parameters_that_may_be_trained(drawn: str, trained: str) -> None:
    body = f"{drawn}\n{trained.format(made=MADE[1], use=USE)}".format("noise")
    assert told(f"{HEAD}class Net(nn.Module):\n    def forward(self, x):\n{function(body, 8)}\n\nNet()(torch.ones(4, 2))\n")
