"""The search on toys: single faults, several, cancelling ones, representation changes, benign differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dllint.bisection.errors import BisectionError
from dllint.bisection.result import Verdict
from tests.bisection.toys import Whole, bisected, chain

REFERENCE = chain()


def names(found) -> list[str]:
    return [step.name for culprit in found.culprits for step in culprit.steps]


def rolled(operator):
    return lambda *values: np.roll(operator(*values), 1, axis=-1)


def wrong(name: str):
    return rolled(REFERENCE.operators[name][0])


@pytest.mark.parametrize("name", ["t0", "h3", "t11", "h17", "t23", "logits"])
def test_a_single_fault_is_found_with_few_evaluations(name):
    found = bisected(REFERENCE, REFERENCE.with_operator(**{name: wrong(name)}))
    assert names(found) == [name]
    assert found.evaluations <= 2 * math.log2(found.linear_sweep - 1) + 4
    (culprit,) = found.culprits
    assert culprit.sufficient is True
    assert culprit.necessary is True
    assert culprit.contrast.high < 0


def test_a_candidate_that_runs_only_as_a_whole():
    found = bisected(REFERENCE, Whole(REFERENCE.with_operator(t11=wrong("t11"))))
    assert names(found) == ["t11"]
    assert found.culprits[0].necessary is None
    assert any("was not shown" in note for note in found.notes)


def test_a_fault_behind_another_is_found_once_that_is_repaired():
    found = bisected(REFERENCE, REFERENCE.with_operator(h5=wrong("h5"), logits=wrong("logits")))
    assert sorted(names(found)) == ["h5", "logits"]
    assert all(culprit.necessary for culprit in found.culprits)


def test_a_scale_folded_into_the_next_operators_is_acquitted():
    changed = REFERENCE.with_operator(
        t8=lambda h, f=REFERENCE.operators["t8"][0]: 30 * f(h), h8=lambda h, t: h + 0.5 * t / 30, t15=wrong("t15")
    )
    found = bisected(REFERENCE, changed)
    assert names(found) == ["t15"]
    assert [acquittal.step.name for acquittal in found.acquitted] in ([], ["t8"])


def test_a_benign_difference_accuses_nobody():
    tiny = REFERENCE.with_operator(t4=lambda h, f=REFERENCE.operators["t4"][0]: f(h) + 1e-6)
    found = bisected(REFERENCE, tiny)
    assert found.verdict is Verdict.NO_DROP_SEEN
    assert found.culprits == []


def test_with_a_margin_no_drop_is_a_verdict_of_its_own():
    found = bisected(REFERENCE, REFERENCE, margin=0.01)
    assert found.verdict is Verdict.EQUALLY_VALID


def test_other_preparation_of_the_samples_is_the_first_operator():
    found = bisected(REFERENCE, REFERENCE, prepared=lambda x: x[:, ::-1] * 2)
    assert names(found) == ["preprocess"]
    assert found.culprits[0].sufficient is True
    assert found.culprits[0].necessary is True


def test_a_reference_that_misses_its_figure_is_not_searched():
    with pytest.raises(BisectionError, match="the reference reaches"):
        bisected(REFERENCE, REFERENCE, expected=0.99)


def test_non_finite_values_are_a_fault_like_any_other():
    overflow = REFERENCE.with_operator(t6=lambda h, f=REFERENCE.operators["t6"][0]: np.where(f(h) > 0.9, np.nan, f(h)))
    assert names(bisected(REFERENCE, overflow)) == ["t6"]
