"""The recorded pass of a loop has the numbers of the first one; ranges hold in all passes."""

from __future__ import annotations

import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.domains.interval import Interval
from tests.lower.tracing import program


def _last(body: str) -> Interval:
    """The range of the result of the last operation of a loop of unknown length."""
    traced = program(f"import torch\nx = torch.rand(3)\nscale, n = 1.0, 1\nwhile unknown():\n{body}")
    return Ranges(traced).of(traced.ops[-1].output)


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ("    y = x * scale\n    scale = scale + 2.0\n", 2.9),
        ("    y = x.clamp(max=n)\n    n -= 4\n", -3.0),
        ("    y = torch.full((2,), n)\n    n += 4\n", 5.0),
        ("    y = torch.arange(n)\n    n += 4\n", 4.0),
        ("    x = x + n\n    n = n + 3\n", 5.5),
        ("    y = x + n\n    if n > 1:\n        y = torch.exp(y)\n    n = n + 3\n", 5.0),
    ],
)
def test_numbers_of_later_passes_count(body, reached):
    found = _last(body)
    assert found.low.value <= reached <= found.high.value


@pytest.mark.parametrize("body", ["y = x * n", "y = x.clamp(max=n)", "y = torch.full((3,), n)", "y = x + n"])
def test_a_counter_that_falls_comes_to_0_and_below(body):
    traced = program(f"import torch\nx = torch.ones(3)\nn = 10\nwhile unknown():\n    {body}\n    n = n - 4\n")
    assert Ranges(traced).of(traced.ops[-1].output).low.value <= -2.0


def test_what_no_counter_changes_keeps_its_range():
    found = _last("    y = x * 2.0\n    n += 1\n")
    assert (found.low.value, found.high.value) == (0.0, 2.0)
