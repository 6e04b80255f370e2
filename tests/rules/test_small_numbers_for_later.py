"""A small number that is added to a result is no failed guard of it where it is there for something else."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

HEAD = "import torch\nw = torch.randn(4, 4, requires_grad=True) * 100\nr = torch.relu(w)\neps = 1e-6\n"
SUMS = ("{} + eps", "eps + {}", "{}.contiguous() + 1e-5")
EXPONENTIALS = ("torch.exp(w)", "w.exp()", "torch.exp(w * 2)", "(w / 3).exp()", "torch.exp(w).clone()")
LATER = {
    "at once": "y = w / s",
    "in another shape": "y = w / s.unsqueeze(1)",
    "in two steps": "t = s[:, None]\ny = w / t.expand_as(w)",
    "in a logarithm": "y = torch.log(s.view(-1))",
    "in a helper": "def scaled(x, by):\n    return x / by.reshape(4, 1)\n\ny = scaled(w, s)",
    "several together": "y = w / torch.stack([s, s, s, s])",
}


def _told(source: str) -> list[str]:
    return [finding.code for finding in findings(source) if finding.code == "DLN106"]


@pytest.mark.parametrize("total", SUMS)
@pytest.mark.parametrize("exponential", EXPONENTIALS)
@pytest.mark.parametrize("use", ["y = s.inverse()", "y = s - s.diag()", "y = s.mean()"])
def test_nothing_added_guards_an_exponential(exponential: str, total: str, use: str) -> None:
    assert _told(f"{HEAD}s = {total.format(exponential)}\n{use}\n") == []


@pytest.mark.parametrize("total", SUMS)
@pytest.mark.parametrize("use", LATER)
def test_a_number_for_a_later_division(use: str, total: str) -> None:
    root = total.format("torch.sqrt((r**2).sum(1))")
    assert _told(f"{HEAD}s = {root}\n{LATER[use]}\n") == []


@pytest.mark.parametrize("total", SUMS[:2])
@pytest.mark.parametrize("root", ["torch.sqrt((r**2).sum(1))", "torch.log(r)"])
@pytest.mark.parametrize("use", ["y = s.mean()", "y = (s.unsqueeze(1) - w).sum()", "print(s)"])
def test_a_number_that_comes_too_late_is_told(use: str, root: str, total: str) -> None:
    assert _told(f"{HEAD}s = {total.format(root)}\n{use}\n") == ["DLN106"]
