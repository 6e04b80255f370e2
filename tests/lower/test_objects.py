"""Random programs of classes, containers, closures, texts and numbers: what is claimed holds in every run of Python."""

from __future__ import annotations

import pytest

from benchmarks.control_flow.comparison import check, program
from benchmarks.control_flow.grammar import GRAMMARS

#: All of them: ``python -m benchmarks.control_flow --grammar objects``.
SAMPLE = range(30)


@pytest.mark.oracle
def test_claims_hold_in_every_run():
    wrong = {}
    known = values = 0
    for seed in SAMPLE:
        verdict = check(program(seed, GRAMMARS["objects"]))
        values, known = values + verdict.values, known + verdict.known_values
        problems = [*verdict.wrong, *verdict.false_errors, *verdict.crashes]
        if problems:
            wrong[seed] = problems
    assert not wrong
    assert known > 0.9 * values
