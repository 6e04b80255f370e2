"""Random programs of branches, loops, exceptions and helpers: what is claimed holds in every run of Python."""

from __future__ import annotations

import pytest

from benchmarks.control_flow.comparison import check, program
from benchmarks.control_flow.grammar import GRAMMARS

SAMPLE = range(60)


@pytest.mark.oracle
def test_claims_hold_in_every_run():
    wrong = {}
    known = tensors = 0
    for seed in SAMPLE:
        verdict = check(program(seed, GRAMMARS["flow"]))
        tensors, known = tensors + verdict.tensors, known + verdict.known
        problems = [*verdict.wrong, *verdict.false_errors, *verdict.crashes]
        if problems:
            wrong[seed] = problems
    assert not wrong
    assert known > 0.9 * tensors
