"""Calls whose result stayed unknown: which of them may give a tensor, and the shares that count them."""

from __future__ import annotations

import pytest

from benchmarks.wild.__main__ import coverage
from benchmarks.wild.checking import Run
from benchmarks.wild.no_tensors import library_without_tensors


@pytest.mark.parametrize(
    ("callee", "library"),
    [
        ("matplotlib.pyplot.subplots", "matplotlib"),
        ("os.path.join", "os"),
        ("torch.utils.tensorboard.SummaryWriter.add_scalar", "torch.utils.tensorboard"),
        ("torch.cuda.is_available", "torch.cuda.is_available"),
        ("torch.cuda.FloatTensor", None),
        ("copy.deepcopy", None),
        ("functools.reduce", None),
        ("matplotlib_of_mine.plot", None),
        ("data.copy", None),
        ("joblib.load", None),
    ],
)
def test_what_may_give_a_tensor_is_counted(callee: str, library: str | None) -> None:
    assert library_without_tensors(callee) == library


def _run(name: str, operations: int, known: int, gaps: int) -> Run:
    places = {"operations": operations, "rank": known, "shape": known, "dtype": known, "gaps": gaps, "no tensors": {"os": 2}}
    return Run(name, "checked", counts={**places, "places": places})


def test_each_repository_counts_as_much_as_another_one() -> None:
    found = coverage([_run("a", 90, 90, 10), _run("b", 2, 1, 2), _run("no tensors at all", 0, 0, 0)])
    assert found["places"]["shape"] == round(91 / 92, 4)
    assert found["places"]["rank with gaps"] == round(91 / 104, 4)
    assert found["mean"]["shape"] == 0.75
    assert found["mean"]["shape with gaps"] == round((0.9 + 0.25) / 2, 4)
    assert found["left out"] == {"os": 6}
