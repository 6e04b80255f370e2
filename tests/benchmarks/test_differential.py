"""The comparison of claims with runs, and a sample of the generated programs."""

from __future__ import annotations

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import Verdict, compared
from benchmarks.differential.running import run

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

#: Of so many programs of a source, all but so many are to be free of wrong claims and false errors, and this share of their
#: errors is to be found.
_PROGRAMS, _ALLOWED, _FOUND = 40, 1, 0.5


def _verdict(read: str, performed: str) -> Verdict:
    """What is said of one program against the run of another one."""
    return compared(claims(f"import torch\n{read}\n"), run(f"import torch\n{performed}\n"))


@pytest.mark.parametrize(("read", "performed", "kind"), [
    ("x = torch.ones(2)", "x = torch.ones(3)", "size"),
    ("x = torch.ones(2)", "x = torch.ones(2, 1)", "rank"),
    ("x = torch.ones(2)", "x = torch.ones(2).long()", "type"),
    ("x = torch.ones(2, 3)", "x = torch.ones(3, 2).t()", "strides"),
    ("x = torch.tensor([1, 2])", "x = torch.tensor([1, 3])", "constant"),
    ("x = torch.rand(3)", "x = torch.rand(3) + 1", "range"),
    ("x = torch.ones(2).sum().item()", "x = 'text'", "value"),
    ("x = 3", "x = 4", "literal"),
])  # fmt: skip
def test_what_a_run_refutes_is_counted(read: str, performed: str, kind: str) -> None:
    assert not _verdict(read, read).wrong
    found = {wrong.kind for wrong in _verdict(read, performed).wrong}
    assert found & {kind, "literal"} or kind == "value", found


def test_an_error_is_false_where_the_program_runs_and_found_where_it_raises() -> None:
    good, bad = "x = torch.ones(2) @ torch.ones(2)", "x = torch.ones(2) @ torch.ones(3)"
    assert _verdict(bad, good).false_errors
    assert not _verdict(good, bad).found
    assert _verdict(bad, bad).found
    assert not _verdict(bad, bad).false_errors


@pytest.mark.thorough
@pytest.mark.parametrize("source", ["own", "opinfo"])
def test_a_sample_of_the_programs(source: str) -> None:
    pytest.importorskip("expecttest")
    from benchmarks.differential.batches import Batch, check

    _, tally = check(Batch(source, 4711, 0, _PROGRAMS))  # type: ignore[arg-type]
    wrong = [f"{example.number}: {example.wrong[0]}" for example in tally.examples]
    assert tally.programs - tally.lost >= _PROGRAMS * 0.9
    assert "internal error" not in tally.wrong
    assert len(wrong) <= _ALLOWED, wrong
    assert tally.errors_found >= _FOUND * tally.errors


@pytest.mark.parametrize("mode", ["torch.set_grad_enabled(False)", "torch.set_default_dtype(torch.float64)"])
@pytest.mark.parametrize("end", ["x = 1", "raise ValueError"])
def test_what_a_program_sets_ends_with_it(mode: str, end: str) -> None:
    import torch

    run(f"import torch\n{mode}\n{end}\n")
    assert torch.is_grad_enabled()
    assert torch.get_default_dtype() == torch.float32
