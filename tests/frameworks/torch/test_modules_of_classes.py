"""Layers and the bases of losses are the same by the name of the module that defines them, imported or read as an attribute."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import values

HEAD = "import torch\nimport torch.nn as nn\nfrom torch import nn as networks\nfrom torch.nn import modules\n"
PACKAGES = ("torch.nn.modules", "nn.modules", "networks.modules", "modules")
LAYERS = {"conv.Conv2d(3, 4, 3)": (2, 4, 6, 6), "pooling.MaxPool2d(2)": (2, 3, 4, 4), "Flatten()": (2, 192)}
DERIVED = """
class Own({base}):
    def __init__(self, share=None):
        super().__init__({given})

    def forward(self, scores):
        return scores.sum(1)


out = Own().to("cuda")(torch.randn(2, 3))
"""
BASES = {"loss._Loss": "reduction='mean'", "loss._WeightedLoss": "weight=share"}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_layer_by_the_module_that_defines_it(package: str) -> None:
    for layer, shape in LAYERS.items():
        assert values(f"{HEAD}out = {package}.{layer}(torch.randn(2, 3, 8, 8))\n")["out"].shape == shape, layer


@pytest.mark.parametrize("package", PACKAGES)
def test_what_derives_from_a_base_of_losses_is_a_module(package: str) -> None:
    for base, imported in itertools.product(BASES, (False, True)):
        module, _, name = base.rpartition(".")
        head = f"from torch.nn.modules.{module} import {name}\n" if imported else ""
        spelled = name if imported else f"{package}.{base}"
        text = HEAD + head + DERIVED.format(base=spelled, given=BASES[base])
        assert values(text)["out"].shape == (2,), spelled
