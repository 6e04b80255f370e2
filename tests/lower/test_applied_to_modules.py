"""``module.apply(fn)`` runs the function on every module below, whatever holds them."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

HEAD = "import torch\nfrom torch import nn\n\n"
CONVERTING = (
    "def convert(part):\n    if isinstance(part, (nn.Conv1d, nn.Conv2d)):\n        part.weight.data = part.weight.data.half()\n"
    "        part.bias.data = part.bias.data.half()\n",
    "def narrow(p):\n    p.data = p.data.half()\n\ndef convert(part):\n    if type(part) == nn.Conv2d:\n"
    "        narrow(part.weight)\n        narrow(part.bias)\n",
    "def convert(part):\n    if 'Conv' in part.__class__.__name__:\n        part.half()\n",
)
HOLDERS = {
    "list": "nn.ModuleList([nn.Conv2d(3, 4, 3), nn.Conv2d(4, 4, 3), nn.Conv2d(4, 5, 1)])",
    "stack": "nn.Sequential(nn.Conv2d(3, 4, 3), nn.Conv2d(4, 4, 3), nn.Conv2d(4, 5, 1))",
    "nested": "nn.ModuleList([nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()), nn.Sequential(nn.Conv2d(4, 4, 3), nn.ReLU())])",
}


@pytest.mark.parametrize("converting", CONVERTING)
@pytest.mark.parametrize("holder", HOLDERS)
def test_all_layers_of_a_class_are_converted(holder: str, converting: str) -> None:
    source = (
        f"{HEAD}{converting}\n"
        f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.parts = {HOLDERS[holder]}\n"
        "    def forward(self, x):\n        x = x.half()\n        for part in self.parts:\n            x = part(x)\n"
        "        return x\n\nnet = Net()\nnet.parts.apply(convert)\ny = net(torch.randn(2, 3, 9, 9))\n"
    )
    assert [(op.kind, op.faults) for program in lower(source).programs for op in program.ops if op.faults] == []


def test_what_is_converted_takes_no_other_type() -> None:
    net = "nn.Sequential(nn.Conv2d(3, 4, 3), nn.Conv2d(4, 5, 3)).apply(convert)"
    source = f"{HEAD}{CONVERTING[0]}\ny = {net}(torch.randn(2, 3, 9, 9))\n"
    assert [op.kind for program in lower(source).programs for op in program.ops if op.faults][:1] == ["conv"]
