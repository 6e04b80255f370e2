"""Two layers without an activation between them are one map only where the first one feeds nothing but the second."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

FIRST, SECOND = "nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 128)", "nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)"
HEADS = {
    "two containers": f"first = nn.Sequential({FIRST})\nsecond = nn.Sequential({SECOND})\n",
    "two modules": (
        f"class First(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.stack = nn.Sequential({FIRST})\n\n    def forward(self, z):\n        return self.stack(z)\n\n\n"
        f"class Second(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.stack = nn.Sequential({SECOND})\n\n    def forward(self, x):\n"
        f"        return self.stack(x.reshape(-1, 128))\n\n\nfirst, second = First(), Second()\n"
    ),
}
TOGETHER = "for step in range(2):\n    second(first(torch.randn(4, 32))).mean().backward()\n"
ALONE = (
    "second(torch.cat([x, first(torch.randn(4, 32))])).mean().backward()\n",
    "loss = nn.functional.mse_loss(first(torch.randn(4, 32)), x)\n",
    "images = torch.sigmoid(first(torch.randn(4, 32)))\n",
    "shown = first(torch.randn(4, 32)).detach().numpy()\n",
    "with torch.no_grad():\n    fakes = first(torch.randn(4, 32))\nsecond(torch.tanh(fakes)).mean().backward()\n",
    "def sample(z):\n    return first(z)\n\n\nshown = sample(torch.randn(4, 32)) * 255\n",
)


def told(text: str) -> list[str]:
    head = "import torch\nfrom torch import nn\n\nx = torch.randn(4, 128)\n"
    return [found.code for found in findings(head + text) if found.code == "DLS201"]


@pytest.mark.parametrize(("head", "alone", "is_first"), list(product(HEADS, ALONE, [True, False])))
def test_a_result_that_is_used_by_itself_needs_no_activation(head, alone, is_first):
    assert told(HEADS[head] + (alone + TOGETHER if is_first else TOGETHER + alone)) == []


@pytest.mark.parametrize(
    ("head", "again"), list(product(HEADS, ["", TOGETHER, "shown = second(first(torch.randn(1, 32)).view(-1, 128))\n"]))
)
def test_layers_that_always_follow_each_other_are_one_map(head, again):
    assert told(HEADS[head] + TOGETHER + again) == ["DLS201"]
