"""Pairs that leave a mean as it is, and overflows that give the right number: information, for all ways to write them.

That the sums agree, and that the quotient's gradient is NaN, is asked of PyTorch.
"""

from __future__ import annotations

import itertools

import pytest

from dllint.finding import Severity
from tests.rules.test_weight_of_findings import INFO, WARNING, weights

torch = pytest.importorskip("torch")

PAIRS = """\
import torch

a = torch.rand(8, 3).sum(1)
b = torch.rand(8, 1)
pairs = {sum}
{step}
loss = {mean}
"""
SUMS = ("a + b", "a - b", "-a - b", "b - a", "-(a + b) + a", "torch.add(a, b)", "torch.sub(b, a)", "1 - (a + b)")
STEPS = ("", "pairs = pairs + 1", "pairs = -pairs", "pairs = pairs - 0.5")
MEANS = ("pairs.mean()", "torch.mean(pairs)", "(pairs + 1).mean()")
#: What sees the pairs: a step that is no sum, another reduction, or a second use.
SEEN = (
    ("a - b", "pairs = pairs ** 2", "pairs.mean()"),
    ("a - b", "pairs = pairs.abs()", "pairs.mean()"),
    ("a * b", "", "pairs.mean()"),
    ("a + b", "", "pairs.sum()"),
    ("a + b", "", "pairs.mean() + pairs.exp().mean()"),
    ("a + b", "pairs = torch.relu(pairs)", "pairs.mean()"),
)


@pytest.mark.parametrize("total", SUMS)
def test_a_mean_of_sums_of_pairs_is_the_mean_of_the_sums(total: str) -> None:
    for step, mean in itertools.product(STEPS, MEANS):
        text = PAIRS.format(sum=total, step=step, mean=mean)
        assert weights(text, "DLT108") == {INFO}, text
        names: dict[str, object] = {}
        exec(text, names)
        exec(text.replace("torch.rand(8, 3).sum(1)", "kept").replace("torch.rand(8, 1)", "other.squeeze(1)"),
             straight := {"kept": names["a"], "other": names["b"]})  # fmt: skip
        assert torch.allclose(names["loss"], straight["loss"], atol=1e-5), text


@pytest.mark.parametrize(("total", "step", "mean"), SEEN)
def test_what_sees_the_pairs_is_told(total: str, step: str, mean: str) -> None:
    assert weights(PAIRS.format(sum=total, step=step, mean=mean), "DLT108") == {Severity.ERROR}


QUOTIENTS = ("1 / (1 + torch.exp(-x))", "1.0 / (torch.exp(-x) + 1)", "torch.reciprocal(1 + (-x).exp())")


def program(quotient: str, *, trained: bool) -> str:
    """A script that takes the sigmoid of a layer's scores, for a loss or to be looked at."""
    end = "torch.square(p - 1).mean().backward()" if trained else "print(p)"
    return f"import torch\n\nx = torch.nn.Linear(4, 3)(torch.rand(2, 4) * 1e3)\np = {quotient}\n{end}\n"


@pytest.mark.parametrize("quotient", QUOTIENTS)
def test_an_overflow_below_a_quotient_harms_the_gradient_only(quotient: str) -> None:
    x = torch.tensor(-100.0, requires_grad=True)
    result = eval(quotient, {"torch": torch, "x": x})
    result.backward()
    assert result.item() == 0
    assert torch.isnan(x.grad)
    assert weights(program(quotient, trained=True), "DLN105") == {WARNING}
    assert weights(
        program(quotient, trained=False).replace("x = torch.nn", "with torch.no_grad():\n    x = torch.nn"), "DLN105"
    ) == {INFO}


@pytest.mark.parametrize(("cast", "severity"), [("", Severity.HINT), (".half()", WARNING)])
def test_the_root_of_an_exponential_is_at_zero_in_half_precision(cast: str, severity: Severity) -> None:
    assert torch.exp(torch.tensor(-60.0)) > 0
    assert torch.exp(torch.tensor(-60.0).half()) == 0
    text = (
        f"import torch\n\nx = torch.nn.Linear(4, 3){cast}(torch.rand(2, 4){cast})\ntorch.sqrt(torch.exp(x)).sum().backward()\n"
    )
    assert weights(text, "DLN104") == {severity}
