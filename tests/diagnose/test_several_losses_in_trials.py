"""How trials judge the losses of several optimizers, which may play against each other."""

from __future__ import annotations

import pytest

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.launch import Outcome
from dllint.diagnose.records import LossRecord, OptimizerRecord, RunRecord, TrackRecord
from dllint.diagnose.trials.branch import _result


def result(**courses):
    """A branch whose optimizers have a loss each, that goes from one number to another."""
    tracks = tuple(TrackRecord(key, OptimizerRecord(key, None), 80) for key in courses)
    losses = tuple(
        LossRecord(key, key, None, None, "", tuple(range(80)), (first,) * 40 + (last,) * 40)
        for key, (first, last) in courses.items()
    )
    run = RunRecord(("torch",), tracks, losses, (), (), (), (), (), (), "finished", 1.0, 0.0)
    return _result(Diagnosis(run, Outcome("finished"), (), ()), {})


@pytest.mark.parametrize("names", [("G", "D"), ("D", "G")])
def test_a_balance_of_two_is_more_than_the_fall_of_one_while_the_other_grows(names):
    idle = {"G": (0.7, 4.0), "D": (1.4, 0.2)}
    sound = {"G": (0.7, 0.9), "D": (1.4, 1.35)}
    before, after = (result(**{name: course[name] for name in names}) for course in (idle, sound))
    assert after.rate < before.rate
    assert after.fell


def test_one_optimizer_is_judged_by_its_own_loss():
    assert (result(A=(1.0, 0.5)).fell, result(A=(1.0, 1.0)).fell) == (True, False)
    assert result(A=(1.0, 0.5)).rate == pytest.approx(0.5)


def test_two_that_both_grow_have_not_learnt():
    assert not result(A=(1.0, 3.0), B=(1.0, 2.5)).fell
