"""Random programs lie in the ranges inferred for them: a small share of what ``benchmarks.numeric.soundness`` runs."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from benchmarks.numeric.soundness.check import check
from benchmarks.numeric.soundness.generator import HEADER, Line, Program, generate

#: Programs that once had results outside their ranges, as statements with the variable that each makes or changes.
FOUND = {
    "an open end is reached by rounding": (("h", "h = torch.rand((4, 4), dtype=torch.float16) * 1 - 2"),),
    "a row is changed in place": (("a", "a = torch.rand(3, 4) * 0.1 + 10"), ("a", "a[0].mul_(-2)")),
    "a method fills its receiver": (("a", "a = torch.rand(3, 4) * 0.1 + 10"), ("a", "a.zero_()")),
    "a view sees what its base becomes": (
        ("a", "a = torch.ones(3, 4)"),
        ("v", "v = a[0]"),
        ("a", "a += 5"),
        ("b", "b = v * 1"),
    ),
    "a negative zero": (("a", "a = torch.tensor([0.5, -0.75])"), ("b", "b = torch.rsqrt(a * (a > 0.1))")),
    "no axis": (
        ("a", "a = torch.rand(6).sum()"),
        ("b", "b = torch.softmax(a.mean(-1), dim=-1)"),
        ("c", "c = b.transpose(0, -1)"),
    ),
    "an inverse below its domain": (("a", "a = torch.randn(6, requires_grad=True)"), ("b", "b = torch.acosh(a)")),
}


def program(statements: tuple[tuple[str, str], ...]) -> Program:
    return Program([*HEADER, *(Line(text, name) for name, text in statements)])


@pytest.mark.oracle
@pytest.mark.parametrize("statements", FOUND.values(), ids=FOUND)
def test_a_counter_example_stays_repaired(statements: tuple[tuple[str, str], ...]) -> None:
    verdict = check(program(statements), 0)
    assert verdict.statements >= 1
    assert verdict.counter_examples == []


@pytest.mark.oracle
@pytest.mark.parametrize("start", range(0, 180, 60))
def test_random_programs_lie_in_their_ranges(start: int) -> None:
    for seed in range(start, start + 60):
        verdict = check(generate(seed), seed)
        assert verdict.counter_examples == [], generate(seed).text
