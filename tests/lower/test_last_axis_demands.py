"""What operations demand of the last axis of a tensor whose rank is not known, and what that shows at every rank."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
import torch

from tests.lower.tracing import lower

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n\n"
NET = """
class Net(nn.Module):
    def __init__(self{parameters}):
        super().__init__()
        {layers}

    def forward(self, x{inputs}):
        {body}
"""
DEMANDS = ("nn.Linear({}, 5)", "nn.LayerNorm({})", "nn.LayerNorm([2, {}])", "nn.RMSNorm({})")
#: What may stand between the input and the second layer.
BETWEEN = ("x", "torch.relu(x)", "x.clone()", "F.dropout(x, 0.1)")


def net(layers: list[str], body: list[str], parameters: str = "", inputs: str = "") -> str:
    built = [f"self.l{number} = {layer}" for number, layer in enumerate(layers)]
    indent = "\n" + 8 * " "
    return HEAD + NET.format(layers=indent.join(built), body=indent.join(body), parameters=parameters, inputs=inputs)


def faults(text: str) -> list[str]:
    lowered = lower(text)
    return [fault.kind for program in (*lowered.programs, *lowered.settings) for op in program.ops for fault in op.faults]


@pytest.mark.parametrize(("first", "second", "between"), list(product(DEMANDS, DEMANDS, BETWEEN)))
def test_one_tensor_has_one_last_size(first, second, between):
    body = ["a = self.l0(x)", f"b = self.l1({between})", "return a, b"]
    assert faults(net([first.format(3), second.format(4)], body)) == ["feature-size"]
    assert faults(net([first.format(4), second.format(4)], body)) == []
    assert faults(net([first.format("n"), second.format("n")], body, ", n: int")) == []
    assert faults(net([first.format("n"), second.format("2 * n")], body, ", n: int")) == ["feature-size"]
    assert faults(net([first.format("n"), second.format("m")], body, ", n: int, m: int")) == []


@pytest.mark.parametrize(("first", "second"), list(product(DEMANDS, repeat=2)))
@pytest.mark.parametrize(
    "body",
    [
        ["if flag:", "    y = self.l0(x)", "else:", "    y = self.l1(x)", "return y"],
        ["if flag:", "    return self.l0(x)", "return self.l1(x)"],
        ["y = self.l0(x) if flag else self.l1(x)", "return y"],
        ["try:", "    y = self.l0(x)", "except RuntimeError:", "    y = self.l1(x)", "return y"],
        ["return (self.l0 if flag else self.l1)(x)"],
    ],
)
def test_what_another_arm_demands_shows_nothing(first, second, body):
    assert faults(net([first.format(3), second.format(4)], body, inputs=", flag")) == []


@pytest.mark.parametrize("widths", [(3, 4), (3, 3, 4), (3, 4, 5, 3)])
def test_layers_one_after_the_other_demand_nothing_of_each_other(widths):
    made = ", ".join(f"nn.Linear({a}, {b})" for a, b in pairwise(widths))
    for body in (["for layer in self.l0:", "    x = layer(x)", "return x"], ["return nn.Sequential(*self.l0)(x)"]):
        assert faults(net([f"nn.ModuleList([{made}])"], body)) == []


OPERATORS = (
    "{} + {}",
    "{} * {}",
    "torch.sub({}, {})",
    "torch.maximum({}, {})",
    "torch.where({} > 0, {}, 0.5)",
    "F.silu({}) * {}",
)


@pytest.mark.oracle
@pytest.mark.parametrize(("operator", "left", "right"), list(product(OPERATORS, (1, 2, 3), (1, 2, 3))))
def test_last_sizes_conflict_at_every_rank_or_at_none(operator, left, right):
    """The ranks of the operands are one to three; torch raises for all of them or for some only."""
    expression = operator.format("self.l0(x)", "self.l1(y)")
    found = faults(net([f"nn.Linear(4, {left})", f"nn.Linear(4, {right})"], [f"return {expression}"], inputs=", y"))
    expression = operator.format("a", "b")
    raised = []
    for shapes in product(((4,), (1, 4), (1, 1, 4)), repeat=2):
        a, b = torch.ones((*shapes[0][:-1], left)), torch.ones((*shapes[1][:-1], right))
        try:
            eval(expression, {"torch": torch, "F": torch.nn.functional, "a": a, "b": b})
        except RuntimeError:
            raised.append(shapes)
    assert len(raised) in (0, 9)
    assert found == (["broadcast"] if raised else [])
