"""A device that a helper gives is one of those that its branches return, and not the first of them."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

HEAD = """import torch
from torch import nn


class Chooser:
    def __init__(self, device):
        self.place = choose(device)


def choose(device="auto"):
{body}


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
"""
#: How a helper chooses.
BODIES = (
    '    if not torch.cuda.is_available():\n        return torch.device("cpu")\n    return device',
    '    if torch.cuda.is_available():\n        return device\n    return torch.device("cpu")',
    '    if device == "auto":\n        device = "cuda"\n    device = torch.device(device)\n'
    '    if device.type == torch.device("cuda").type and not torch.cuda.is_available():\n        return torch.device("cpu")\n'
    "    return device",
    '    chosen = torch.device("cpu")\n    if torch.cuda.is_available():\n'
    '        chosen = torch.device("cuda", 0)\n    return chosen',
    '    return torch.device("cuda") if torch.cuda.is_available() else torch.device(type="cpu")',
)
DATA = (
    "torch.zeros(3, 4, device=choose(device))",
    "torch.zeros(3, 4).to(choose(device))",
    "torch.zeros(3, 4, device=Chooser(device).place)",
    "torch.as_tensor([[1.0, 2.0, 3.0, 4.0]], device=choose())",
)


@pytest.mark.parametrize(("body", "data"), list(product(BODIES, DATA)))
def test_data_where_the_helper_says(body: str, data: str) -> None:
    assert not [found for found in findings(f"{HEAD.format(body=body)}print(net({data}))\n") if found.code == "DLG103"]


@pytest.mark.parametrize("body", BODIES)
def test_data_that_stay_on_the_processor(body: str) -> None:
    text = HEAD.format(body=body).replace(".to(device)", ".to(choose(device))")
    assert [found.code for found in findings(f"{text}print(net(torch.zeros(3, 4)))\n")] == ["DLG103"]
