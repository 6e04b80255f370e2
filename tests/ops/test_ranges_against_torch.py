"""The range inferred for a result holds every number that torch computes, in each floating-point type."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.domains.interval import Interval
from dllint.engine.session import Session
from dllint.ir.program import TensorVal
from dllint.source.document import Document

torch = pytest.importorskip("torch")

PATH = Path("/snippet/ranges.py")
FORMULAS = (
    "torch.exp(x)", "torch.expm1(x)", "torch.log(x.abs() + 1e-3)", "torch.log1p(x.abs())", "torch.log2(x.abs() + 1)",
    "torch.sqrt(x.abs())", "torch.rsqrt(x.abs() + 1)", "x.square()", "x * x", "x * y", "x + y", "x - y", "x / (y.abs() + 1)",
    "1 - x", "1e-10 + 1 - torch.sigmoid(x)", "torch.sigmoid(x)", "torch.tanh(x)", "torch.softmax(x, dim=0)",
    "F.softmin(x, dim=0)", "F.softplus(x)",
    "torch.relu(x)", "F.elu(x)", "F.gelu(x)", "F.silu(x)", "F.leaky_relu(x)", "F.hardtanh(x)", "F.relu6(x)", "F.softsign(x)",
    "F.logsigmoid(x)", "torch.log_softmax(x, 0)", "x.clamp(-0.5, 0.5)", "torch.maximum(x, y)", "torch.minimum(x, y)",
    "torch.where(x > 0, x, y)", "torch.where(x > 0, y, x)", "x.masked_fill(x < 0, 1.0)", "torch.cat([x, y])", "x.sum()",
    "x.mean()", "x.std()", "x.var()", "x.norm()", "x.amax()", "x.max() - x", "x - x.min()", "(x - x.max()).exp().sum()",
    "x.abs().sum()", "x.cumsum(0)", "torch.matmul(x, y)", "torch.outer(x, y)", "x ** 2", "x ** 3", "2.0 ** x", "0.5 ** x",
    "x.abs() ** 0.5", "torch.sign(x)", "torch.floor(x)", "torch.ceil(x)", "torch.round(x)", "torch.trunc(x)", "torch.sin(x)",
    "torch.atan(x)", "torch.erf(x)", "torch.sinh(x)", "torch.cosh(x)", "torch.asinh(x)", "(x > y).float()", "-x", "x.abs()",
    "torch.reciprocal(x.abs() + 0.5)", "x.half()", "x.long()", "x.reshape(5, 6).t()", "x[3:7]", "torch.stack([x, -y])",
    "F.normalize(x, dim=0)", "F.dropout(x, 0.5)", "F.alpha_dropout(x, 0.3, True)", "F.rrelu(x)",
    "x.reshape(5, 6).argsort(0)", "x.reshape(6, 5).argsort(-2)",
    "x.reshape(5, 6).sort(-2)[1].float()", "x.reshape(5, 6).sort(descending=True, dim=0)[1].float()",
    "torch.lerp(x, y, 0.25)", "x / x.norm()", "x.abs() / x.abs().sum()",
    "torch.logsumexp(x, 0)", "x.prod()", "torch.clamp(x, min=y)", "torch.hypot(x, y)", "x // 0.5", "torch.cumsum(x, 0)",
    "torch.tril(x.reshape(5, 6))", "F.pad(x, (1, 1))", "torch.remainder(x, 2)", "F.hardsigmoid(x)", "F.mish(x)",
    "(x + y) + (x - y)", "(x + 2) - x", "x - (x + y) / 2", "(1 - x) - (1 - x)", "(x * 3 - y) + y", "0.1 * x - x * 0.1",
    "torch.cat([x, y * 3])[10:40]", "torch.cat([x, y * 3])[30:].exp()",
    "(torch.cat([x, y * 3]) * 2 + 1).split([30, 30])[1] + 0",
    "torch.stack([x, y * 9])[1]", "torch.stack([x, y * 9], dim=1)[:, 0]", "torch.stack([x, y * 9], dim=1)[..., -1]",
    "torch.cat([x.reshape(5, 6), y.reshape(5, 6) + 9], dim=1).chunk(2, dim=1)[1] * 1", "torch.stack([x, -y]).unbind(0)[1] + x",
    "x[:, None] - x[None]", "x[:, None] * x[None]", "x.unsqueeze(0).expand(30, 30) - x.unsqueeze(1).expand(30, 30)",
    "x.reshape(5, 6).flatten() - x.reshape(30)", "x.view(30) * x",
    "F.pad(x, (2, 3), value=5.0)[2:32] * 1", "F.pad(x.reshape(5, 6), (0, 1, 2, 0), value=9.0)[:, 6:] * 2",
    "F.pad(torch.cat([x, y * 9]), (1, 0))[31:] + 0", "F.pad(torch.cat([x, y * 9]), (1, 1))[:40] + 0",
    "(x.reshape(5, 6) @ F.pad(y.reshape(6, 5), (0, 1), value=3.0))[:, 5:] + 0",
    "(torch.cat([x, y * 9]).reshape(10, 6) @ torch.stack([x, y * 9]).reshape(2, 6, 5))[1, 5:] + 0",
)  # fmt: skip
TEXT = """import torch
import torch.nn.functional as F

x = (torch.rand(30) * {width} + {low}).to(torch.{dtype})
y = (torch.rand(30) * {other} - 1).to(torch.{dtype})
z = {formula}
"""


#: How formulas begin whose results have as many elements as x, and what is in those that have not.
_KEEPING = ("torch.e", "torch.s", "torch.t", "F.s", "torch.r", "1", "x ", "-x")
_OTHER = ("stack", "tril", "softmax")
#: Steps of longer programs: each takes x, of 30 elements, and leaves another x of 30 elements.
STEPS = (
    *(f"x = {formula}" for formula in FORMULAS if formula.startswith(_KEEPING) and not any(w in formula for w in _OTHER)),
    "x = x / (x.abs().sum() + 1e-6)",
    "x = torch.where(x > 0.1, 1 / x, x)",
    "x = torch.where(x.abs() < 1, x, y)",
    "for step in range(9):\n    x = x * 0.5 + y",
    "for step in iter([1] * 9):\n    y = y * 1.5 + 0.1\n    x = x - y",
    "if x.sum() > 0:\n    x = x + 1\nelse:\n    x = y",
    "x[4:9] = 0.25",
    "x.clamp_(min=-2)",
    "x = torch.cat([x[:10], y[10:20] * 3, x[20:]])",
    "x = x.half().float()",
    "x = x - x.max()",
    "x = x.clamp(-20, 20)",
    "total = torch.zeros(30)\nwhile total.sum() < 5:\n    total = total + 1\nx = x + total",
)  # fmt: skip


def inferred(text: str) -> Interval:
    """The range of the last result of a text's top level."""
    analysis = Session(Configuration(isolated=True)).analyser(PATH).analyse(Document.from_text(PATH, text))
    program = analysis.programs[0]
    results = [op for op in program.ops if op.outputs]
    last = results[-1].output
    assert isinstance(last, TensorVal)
    return Facts(program).ranges.of(last)


@pytest.mark.sampled(every=2)
@pytest.mark.oracle
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("formula", FORMULAS)
def test_results_lie_in_the_range(formula: str, dtype: str) -> None:
    source = random.Random(formula + dtype)
    torch.manual_seed(source.randrange(1000))
    for _ in range(4):
        width, low, other = (round(source.uniform(0.1, 12), 2), round(source.uniform(-8, 4), 2), round(source.uniform(1, 3), 2))
        text = TEXT.format(width=width, low=low, other=other, formula=formula, dtype=dtype)
        assert not outside(text)


@pytest.mark.sampled(every=3)
@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(200))
def test_results_of_programs_lie_in_the_range(seed: int) -> None:
    source = random.Random(seed)
    torch.manual_seed(seed)
    steps = source.sample(STEPS, source.randint(2, 6))
    width, low = round(source.uniform(0.1, 6), 2), round(source.uniform(-4, 2), 2)
    head, _, _ = TEXT.format(width=width, low=low, other=2, formula="", dtype="float32").partition("z = ")
    assert not outside("\n".join((head, *steps, "z = x + 0")))


@pytest.mark.oracle
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int64"])
@pytest.mark.parametrize("function", ["F.softmin", "F.softmax", "F.log_softmax"])
def test_probabilities_of_integers_lie_in_the_range(function: str, dtype: str) -> None:
    """What is negated before it becomes a float wraps around."""
    numbers = "[[0, 1, 3], [2, 7, 1]]" if dtype == "uint8" else "[[-128, -127, -125], [-120, 7, 1]]"
    head = "import torch\nimport torch.nn.functional as F\n"
    assert not outside(f"{head}z = {function}(torch.tensor({numbers}, dtype=torch.{dtype}), 1, dtype=torch.float64)\n")


@pytest.mark.oracle
@pytest.mark.parametrize("function", ["gcd", "lcm"])
@pytest.mark.parametrize(("dtype", "most"), [("int64", 50), ("uint8", 14), ("int8", 11), ("int8", 40)])
def test_divisors_and_multiples_lie_in_the_range(function: str, dtype: str, most: int) -> None:
    """Multiples may be too large for their type; 0 has any divisor."""
    source = random.Random(f"{function} {dtype} {most}")
    for least in (0, 1, 2, -most if dtype != "uint8" else 1):
        lists = [[source.randint(least, most) for _ in range(5)] for _ in range(2)]
        x, y = (f"torch.tensor({numbers}, dtype=torch.{dtype})" for numbers in lists)
        text = f"import torch\nz = torch.{function}({x}, {y})\n"
        assert not outside(text)
        if function == "gcd":
            assert inferred(text).high.value <= most
            assert inferred(text).has_zero is any(first == second == 0 for first, second in zip(*lists, strict=True))


def outside(text: str) -> tuple[str, list[float]] | None:
    """The range of a program's last result, and the numbers that it does not hold."""
    interval, names = inferred(text), dict[str, Any]()
    exec(text, names)
    numbers = [value for value in names["z"].double().reshape(-1).tolist() if not math.isnan(value)]
    wrong = [value for value in numbers if not interval.low.value <= value <= interval.high.value]
    return (str(interval), wrong[:3]) if wrong else None
