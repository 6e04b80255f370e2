"""Judging a repair by its branches."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from dllint.diagnose.symptoms.symptom import Symptom
from dllint.diagnose.trials.branch import BranchResult
from dllint.observation import Trial

#: Named instead of a measure where a program does not show its targets. It depends on the loss, and is said to.
_FALL: Final = "fall of its own loss"
#: Symptoms of programs that see other data than they are meant to, or weigh them otherwise: they may well do better by that.
_OF_OTHER_DATA: Final = frozenset({"samples never drawn", "weights of frequent classes", "labels of padding"})


def is_removed(symptom: Symptom, as_is: Sequence[BranchResult], results: Sequence[BranchResult]) -> bool:
    """Whether no branch shows a symptom as often as the program as it is did, and none shows another grave one instead."""
    return _is_gone(symptom, as_is, results) and _newcomer(as_is, results) is None


def _is_gone(symptom: Symptom, as_is: Sequence[BranchResult], results: Sequence[BranchResult]) -> bool:
    before = max((result.count(symptom.symptom) for result in as_is), default=0)
    return before > 0 and all(result.count(symptom.symptom) < before for result in results)


def _newcomer(as_is: Sequence[BranchResult], results: Sequence[BranchResult]) -> str | None:
    """A grave symptom that the program as it is does not show."""
    known = {shown.symptom for result in as_is for shown in result.symptoms}
    return next(
        (shown.symptom for result in results for shown in result.symptoms if shown.grave and shown.symptom not in known), None
    )


def judge(symptom: Symptom, as_is: Sequence[BranchResult], results: Sequence[BranchResult], seeds: int) -> Trial | None:
    """The trial of one candidate against one symptom; ``None`` if it was not tried often enough to say. One failure is enough
    to say that it does not help."""
    if not results or not any(result.count(symptom.symptom) for result in as_is):
        return None
    gone, instead = _is_gone(symptom, as_is, results), _newcomer(as_is, results)
    if gone and instead is None and len(results) < seeds:
        return None
    name, before, after = _measures(as_is, results)
    removed = gone and instead is None
    comparable = symptom.symptom not in _OF_OTHER_DATA
    return Trial(removed, name, before, after, len(results), _learns(results), instead if gone else None, comparable)


def _measures(as_is: Sequence[BranchResult], results: Sequence[BranchResult]) -> tuple[str, float, float]:
    measured = [result.measure for result in results if result.measure is not None]
    known = [result.measure for result in as_is if result.measure is not None]
    if measured and known and measured[0].name == known[0].name:
        return measured[0].name, fmean(m.value for m in known), fmean(m.value for m in measured)
    return _FALL, _mean_fall(as_is), _mean_fall(results)


def _mean_fall(results: Sequence[BranchResult]) -> float:
    """The relative fall of the loss; a loss that is not finite has not fallen."""
    return fmean(1 - result.rate if result.rate is not None else 0.0 for result in results)


def _learns(results: Sequence[BranchResult]) -> bool:
    """Whether in most branches predictions are better than a constant one, or the loss falls."""
    learning = [
        result.fell or (result.measure is not None and result.measure.value > result.measure.floor) for result in results
    ]
    return 2 * sum(learning) > len(learning)
