"""Arithmetic with sizes and arguments that grows in a loop ends, and what stands after it is still looked at."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

STEPS = (
    "a, b = a*b + i, a + b*2",
    "a, b = max(a, b) + 1, min(a, b)*2",
    "a, b = (a + b)//3 + 1, (a - b)//2 + a*b",
    "a, b = (a + b) % 3 + a, (a*b) % 2 + b",
    "a, b = a*a + 1, b*b + a",
)
PLACES = {
    "sizes of an argument": "def f(x):\n    a, b = x.shape\n{steps}\n    return x.reshape(a, b)",
    "arguments": "def f(a, b):\n{steps}\n    return torch.ones(a, b)",
    "read numbers": "if True:\n    a, b = int(input()), int(input())\n{steps}\n    torch.ones(a, b)",
    "a layer": (
        "class M(torch.nn.Module):\n    def __init__(self, a, b):\n        super().__init__()\n{steps}\n"
        "        self.fc = torch.nn.Linear(a, b)\n    def forward(self, x):\n        return self.fc(x)"
    ),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("unrolled", [True, False])
def test_the_rest_is_analysed(step: str, place: str, unrolled: bool) -> None:
    margin = " " * (8 if "__init__" in place else 4)
    loop = f"{margin}for i in range(40):\n{margin}    {step}"
    steps = "\n".join(margin + step.replace("i,", "1,") for _ in range(40)) if unrolled else loop
    text = f"import torch\n{place.format(steps=steps)}\ntorch.ones(3).view(7)\n"
    assert (text.count("\n"), "DLT105") in reports(text)
