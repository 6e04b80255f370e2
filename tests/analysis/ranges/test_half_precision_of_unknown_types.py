"""Ends of ranges of numbers that may be of half precision, since what they are computed from is, though functions that are not
followed lie between: generated chains, compared with runs."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.against_runs import refuted

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

MADE = {
    "numpy": ("np.zeros((3, 4), dtype=np.float16)", "np.linspace(0, 1, 8).astype(np.float16)"),
    "torch": ("torch.zeros(3, 4, dtype=torch.float16)", "torch.linspace(0, 1, 8).to(torch.bfloat16)"),
}
#: Functions that are not followed; the type of their result is that of their operands.
UNFOLLOWED = {
    "numpy": ("np.logaddexp({0}, {0})", "np.logaddexp2({0}, {0})", "np.real({0})"),
    "torch": ("torch.logaddexp({0}, {0})", "torch.logaddexp2({0}, {0})", "torch.real({0})"),
}
#: Chains whose ranges are known whatever they are given.
BOUNDED = (
    "{m}.tanh({m}.exp(b - b.max()))", "{m}.exp({m}.tanh(b - b.max()))", "{m}.sin({m}.exp(b - b.max()) * 3)",
    "{m}.sqrt({m}.exp(b - b.max()) + 0.3)", "{m}.arctan({m}.exp(b - b.max()) / 3)", "{m}.log({m}.exp(b - b.max()) + 3)",
)  # fmt: skip


@pytest.mark.parametrize("library", MADE)
def test_ends_are_those_of_the_type_that_it_may_be(library: str) -> None:
    module = {"numpy": "np", "torch": "torch"}[library]
    texts = [
        f"import numpy as np\nimport torch\nx = {made}\na = {first.format('x')}\nb = {second.format('a')}\n"
        f"c = {bounded.format(m=module)}\n"
        for made, first, second, bounded in product(MADE[library], UNFOLLOWED[library], UNFOLLOWED[library], BOUNDED)
    ]
    assert [wrong for text in texts for wrong in refuted(text)] == []
