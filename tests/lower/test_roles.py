"""Unknown activations and normalisations keep the shape, which proves nothing."""

from __future__ import annotations

import textwrap

import pytest

from dllint.domains.dim import DimExpr
from dllint.ir.program import Program, TensorVal
from tests.lower.tracing import lower

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn
from elsewhere import TABLE, get_activation, make, swish

class Net(nn.Module):
    def __init__(self, config, act_layer, width=8):
        super().__init__()
        self.fc = nn.Linear(width, 16)
        self.conv = nn.Conv2d(16, 4, 3)
        self.{name} = {value}

    def forward(self, x, activation):
        x = torch.zeros(4, 3, 8)
"""
#: Names of attributes, and what makes them.
NAMES = ("act", "act_fn", "activation", "norm", "norm1", "ln_1", "final_layer_norm", "bn2", "attn_drop", "dropout", "LayerNorm")
VALUES = (
    "get_activation('relu')",
    "TABLE[config.hidden_act]",
    "act_layer()",
    "make(width, 2)",
    "nn.Sequential if config.x else make",
)
#: What lies between the layer and the call, and behind it.
BETWEEN = ("", "h = h.contiguous()\n", "h = F.relu(h) + 1\n")


def traced(body: str, name: str = "act", value: str = VALUES[0]) -> Program:
    source = HEAD.format(name=name, value=value) + textwrap.indent(body, " " * 8)
    (program,) = [p for p in lower(source).programs if p.entry == "Net.forward"]
    return program


def result(program: Program) -> TensorVal:
    assert isinstance(program.results, TensorVal)
    return program.results


@pytest.mark.parametrize("name", NAMES[::4])
def test_the_object_may_be_called_otherwise(name: str) -> None:
    source = HEAD.format(name=name, value=VALUES[0]) + f"        return self.{name}(self.fc(x))\n"
    (program,) = [p for p in lower(source.replace("self", "this")).programs if p.entry == "Net.forward"]
    assert result(program).type.rank == 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", VALUES[:4])
@pytest.mark.parametrize("between", BETWEEN)
def test_the_result_has_the_rank_of_the_operand(name: str, value: str, between: str) -> None:
    program = traced(f"h = self.fc(x)\n{between}h = self.{name}(h)\nh = h * 2\nreturn h", name, value)
    made = result(program)
    assert made.type.rank == 3
    assert isinstance(made.shape, tuple)
    assert all(isinstance(size, DimExpr) for size in made.shape)


@pytest.mark.parametrize("call", ["activation(h)", "swish(h)", "self.act(self.act(h))", "TABLE_OF_ACT['x'](h)"])
def test_functions_are_told_by_their_names(call: str) -> None:
    before = "from elsewhere import TABLE as TABLE_OF_ACT\n" if "TABLE_OF" in call else ""
    program = traced(f"{before}h = self.fc(x)\nreturn {call}")
    if "TABLE_OF" in call:  # one of its words says nothing
        assert not isinstance(program.results, TensorVal)
    else:
        assert result(program).type.rank == 3


@pytest.mark.parametrize(
    "call",
    [
        "self.act(h, 1)",
        "self.act(*h)",
        "self.act(x=h)",
        "config.act(h)",
        "self.pool(h)",
        "self.norm_pool(h)",
        "norm(h)",
        "self.act([h])",
    ],
)
def test_other_calls_give_anything(call: str) -> None:
    program = traced(f"from elsewhere import norm, config\nself.pool = self.norm_pool = make()\nh = self.fc(x)\nreturn {call}")
    assert not isinstance(program.results, TensorVal)


def test_methods_of_plain_classes_give_anything() -> None:
    source = "import torch\nclass Agent:\n    def __init__(self, act):\n        self.act = act\n    def run(self):\n"
    source += "        return self.act(torch.zeros(3, 4))\n"
    lowered = lower(source + "\ndef play(act: Agent, model):\n    return act.act(torch.zeros(3, 4))\nAgent(play).run()\n")
    assert not any(op.kind == "assumed_activation" for program in lowered.programs for op in program.ops)


#: What would be wrong if the result had the shape or type of its operand, (4, 3, 16) and float32.
WRONG = (
    "return y[:, :, :, 0]",
    "return y.view(5, 7)",
    "return torch.softmax(y, dim=3)",
    "return torch.cat([y, torch.zeros(9, 9)])",
    "return y @ torch.zeros(7, 7)",
    "return y + torch.zeros(5)",
    "return self.conv(y)",
    "return nn.Linear(3, 3)(y)",
    "return nn.Embedding(3, 4)(y)",
    "return y.permute(1, 0)",
    "return y.squeeze(3).expand(7, 7)",
    "a, b = y\nreturn a + b",
    "return y.astype('float32')",
    "return y[0] + y['x']",
    "return F.cross_entropy(y, torch.zeros(9, dtype=torch.long))",
    "b, c, h, w = y.shape\nreturn y.reshape(b, c, h * w)",
    "if isinstance(y, tuple):\n    y = y[0].missing\nreturn y",
    "z = y.clone()\nreturn z.flatten(1).view(5, -1)",
)


@pytest.mark.parametrize("use", WRONG)
@pytest.mark.parametrize("between", ["", "y = y.contiguous()\n", "y = self.act(F.dropout(y))\n"])
def test_nothing_is_proved_by_it(use: str, between: str) -> None:
    program = traced(f"y = self.act(self.fc(x))\n{between}{use}")
    assert [(op.kind, op.faults) for op in program.ops if op.faults] == []


def test_layers_ask_for_the_shape_of_the_result() -> None:
    program = traced("return self.conv(self.act(self.fc(x)))")
    shape = result(program).shape
    assert isinstance(shape, tuple)
    assert len(shape) == 4
    assert shape[1] == 4


@pytest.mark.parametrize("use", ["z = y.view(2, 3)\nw = z @ torch.zeros(4, 4)", "self.fc(y)\nw = nn.Linear(9, 2)(y)"])
def test_what_its_uses_say_of_it_counts(use: str) -> None:
    program = traced(f"y = self.act(x)\n{use}\nreturn w")
    assert any(op.faults for op in program.ops)


def test_an_open_operand_gets_the_rank_that_its_result_shows() -> None:
    source = HEAD.replace("        x = torch.zeros(4, 3, 8)\n", "").format(name="norm", value=VALUES[3])
    (program,) = [p for p in lower(source + "        return self.norm(x)[:, -1, :]\n").programs if p.entry == "Net.forward"]
    assert program.inputs[0].type.rank == 3
