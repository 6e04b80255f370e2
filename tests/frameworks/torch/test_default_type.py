"""The default element type of torch (``torch.set_default_dtype``): what dllint infers is what torch makes."""

from __future__ import annotations

import pytest

from dllint.ir.program import TensorVal
from tests.frameworks.library_programs import executed, inferred
from tests.rules.harness import reports

torch = pytest.importorskip("torch")

PROGRAM = """
import torch
from torch import nn

{setting}
x = torch.zeros(2, 3)
whole = torch.tensor([1, 2])
out = {made}
"""
SETTINGS = [
    "",
    "torch.set_default_dtype(torch.float64)",
    "torch.set_default_dtype(torch.double)",
    "torch.set_default_tensor_type('torch.DoubleTensor')",
    "torch.set_default_tensor_type(torch.DoubleTensor)",
    "def prepare():\n    torch.set_default_dtype(torch.float64)\nprepare()",
    "torch.set_default_dtype(torch.float64)\ntorch.set_default_dtype(torch.float32)",
]
MADE = [
    "x", "torch.tensor([1.0, 2.0])", "torch.tensor(3.5)", "torch.as_tensor([1.0])", "torch.Tensor([1, 2])",
    "torch.Tensor(2, 3)",
    "torch.FloatTensor([1.0])", "torch.arange(0.0, 1.0, 0.1)", "torch.full((2,), 1.5)", "torch.rand(2)",
    "torch.linspace(0, 1, 3)",
    "torch.scalar_tensor(3)", "torch.tensor([1 + 2j])", "torch.zeros(2, dtype=torch.get_default_dtype())",
    "torch.zeros(2, dtype=torch.float32)", "torch.zeros(2, dtype=float)",
    "whole / 2", "whole * 0.5", "whole.float()", "whole.double()", "torch.sqrt(whole)", "whole ** 0.5", "whole + 1",
    "torch.where(whole > 1, 1.0, 0.0)", "torch.stack([whole / 2, whole / 3])", "torch.ones(2, dtype=torch.float32) * 0.5",
    "nn.Linear(3, 4)(x)", "nn.Linear(3, 4).float()(x.float())", "nn.Sequential(nn.Linear(3, 4), nn.ReLU())(x)",
    "nn.Conv1d(2, 4, 1)(x)", "nn.LayerNorm(3)(x)", "nn.Embedding(3, 4)(whole)", "nn.LSTM(3, 4)(x)[0]", "nn.Linear(3, 4).weight",
    "nn.MultiheadAttention(3, 1)(x, x, x)[0]", "nn.Parameter(torch.zeros(2))",
]  # fmt: skip


@pytest.fixture(autouse=True)
def usual_type():
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.oracle
@pytest.mark.sampled(every=3)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_type_is_that_of_torch(setting, made):
    program = PROGRAM.format(setting=setting, made=made)
    found = inferred(program)
    assert isinstance(found, TensorVal)
    assert f"torch.{found.dtype}" == str(executed(program).dtype)


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_overflows_depends_on_it(setting):
    program = PROGRAM.format(setting=setting, made="torch.exp(torch.tensor(100.0))")
    ends_double = bool(setting) and "float32" not in setting
    assert ("DLN103" in [code for _, code in reports(program)]) is not ends_double


@pytest.mark.parametrize(
    "setting", ["torch.set_default_dtype(wanted)", "if wanted:\n    torch.set_default_dtype(torch.float64)"]
)
def test_nothing_is_claimed_where_it_is_not_known(setting):
    program = PROGRAM.format(setting=f"from somewhere import wanted\n{setting}", made="torch.exp(torch.tensor(100.0))")
    assert "DLN103" not in [code for _, code in reports(program)]
