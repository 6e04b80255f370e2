"""Modules in a plain list that another module registers, and layers that are called again for what a call changes."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

SHARED = """
from torch import nn


class {inner}(nn.Module):
    def __init__(self, {given}=None):
        super().__init__()
        self.{held} = {given}

    def forward(self, x):
        for part in self.{held}:
            x = part(x)
        return x


class {outer}(nn.Module):
    def __init__(self):
        super().__init__()
        {made}
        self.head = {inner}({parts})

    def forward(self, x):
        return self.head(x)


net = {outer}()
"""
MADE = {
    "attributes": ("self.one = nn.Linear(4, 4)\n        self.two = nn.Linear(4, 4)", "[self.one, self.two]", True),
    "a tuple": ("self.one = nn.Linear(4, 4)\n        self.two = nn.Linear(4, 4)", "(self.one, self.two)", True),
    "a module list": ("self.parts = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])", "list(self.parts)", True),
    "registered later": ("parts = [nn.Linear(4, 4)]\n        self.parts = nn.ModuleList(parts)", "parts", True),
    "nobody": ("parts = [nn.Linear(4, 4), nn.Linear(4, 4)]", "parts", False),
    "written out": ("pass", "[nn.Linear(4, 4), nn.Linear(4, 4)]", False),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize(("inner", "outer", "given", "held"), [("Head", "Net", "shared", "parts"), ("B", "A", "cpes", "cpes")])
def test_a_list_of_what_another_module_registers(made: str, inner: str, outer: str, given: str, held: str) -> None:
    lines, parts, registered = MADE[made]
    text = SHARED.format(inner=inner, outer=outer, given=given, held=held, made=lines, parts=parts)
    assert any(finding.code == "DLS107" for finding in findings(text)) is not registered, text


CALLED = """
from tensorflow import ones
from tensorflow.keras import layers

x = ones((2, 4, 4, 3))
first = layers.{layer}
{second_layer}
out = first(x{option})
print(first.variables)
out = {second}(x{again})
print(out)
"""


@pytest.mark.parametrize("layer", ["BatchNormalization()", "Conv2D(3, 3)", "Dense(3)", "LayerNormalization()"])
@pytest.mark.parametrize(("option", "again"), [("", ", training=True"), ("", ""), (", training=False", ", training=True")])
def test_a_layer_that_is_called_again_is_not_one_that_was_left_out(layer: str, option: str, again: str) -> None:
    for second, reported in (("first", False), ("other", True)):
        made = f"other = layers.{layer}" if second == "other" else ""
        text = CALLED.format(layer=layer, option=option, again=again, second=second, second_layer=made)
        assert any(finding.code == "DLS101" for finding in findings(text)) is reported, text
