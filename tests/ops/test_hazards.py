"""What is said of an operation's derivative is what torch computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.ir.program import Op, Program
from dllint.ops.ranges.hazards import Hazard, hazards, is_gradient_finite
from dllint.source.document import Document

PATH = Path("/snippet/hazards.py")
#: An expression of x, and the numbers at which its derivative is not finite although it is defined nearby.
STEEP = (
    ("torch.sqrt(x)", (0.0,)), ("torch.rsqrt(x)", (0.0,)), ("torch.reciprocal(x)", (0.0,)), ("torch.log(x)", (0.0,)),
    ("torch.log2(x)", (0.0,)), ("torch.log10(x)", (0.0,)), ("torch.log1p(x)", (-1.0,)), ("torch.asin(x)", (-1.0, 1.0)),
    ("torch.acos(x)", (-1.0, 1.0)), ("torch.atanh(x)", (-1.0, 1.0)), ("torch.acosh(x)", (1.0,)), ("1 / x", (0.0,)),
    ("torch.erfinv(x)", (-1.0, 1.0)), ("x ** 0.25", (0.0,)), ("x ** -2", (0.0,)), ("torch.hypot(x, x)", (0.0,)),
)  # fmt: skip
#: Expressions of x that have a finite derivative at 0, where one might think otherwise.
SMOOTH = ("x.norm()", "x.abs()", "x ** 2", "x ** 1.5", "torch.cdist(x[None], x[None] * 0)", "x.std()", "x.prod()")


def traced(expression: str, low: float, high: float) -> tuple[Program, Op]:
    """The program that computes an expression of numbers between two, and the operation that is last."""
    text = f"import torch\nx = torch.tensor([{low}, {high}])\nz = {expression}\n"
    program = Session(Configuration(isolated=True)).analyser(PATH).analyse(Document.from_text(PATH, text)).programs[0]
    return program, next(op for op in reversed(list(program.ops)) if op.outputs)


def found(expression: str, low: float, high: float) -> list[Hazard]:
    program, op = traced(expression, low, high)
    ranges = Facts(program).ranges
    return list(hazards(op, lambda value: ranges.at(op, value)))


@pytest.mark.oracle
@pytest.mark.parametrize(("expression", "points"), STEEP)
def test_the_derivative_is_infinite_where_a_hazard_is(expression: str, points: tuple[float, ...]) -> None:
    torch = pytest.importorskip("torch")
    for point in points:
        (hazard,) = [h for h in found(expression, point, point) if not h.beyond]
        x = torch.tensor([point], dtype=torch.float64, requires_grad=True)
        z = eval(expression, {"torch": torch, "x": x})
        z.sum().backward()
        assert not torch.isfinite(x.grad).all()
        assert bool(torch.isfinite(z).all()) is hazard.value
    nearby = (points[0] + 0.5, points[0] + 0.75)
    assert not found(expression, *nearby)


@pytest.mark.oracle
@pytest.mark.parametrize("expression", SMOOTH)
def test_a_derivative_that_is_finite_is_no_hazard(expression: str) -> None:
    torch = pytest.importorskip("torch")
    x: Any = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    eval(expression, {"torch": torch, "x": x}).sum().backward()
    assert torch.isfinite(x.grad).all()
    program, op = traced(expression, 0.0, 0.0)
    assert is_gradient_finite(op, lambda value: Facts(program).ranges.at(op, value))


def test_an_end_beyond_the_domain_shows_the_danger() -> None:
    (hazard,) = [h for h in found("torch.sqrt(x)", -2.0, 3.0) if h.beyond]
    assert (hazard.point, hazard.bound.value) == (0, -2.0)
    assert {h.point for h in found("torch.acos(x)", -1.5, 1.5) if h.beyond} == {-1, 1}
