"""DLX106: a loss that does not fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from dllint.diagnose.learning import courses, judged_courses
from dllint.diagnose.records import LossRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_STEPS: Final = Threshold(100, "own: fewer steps than this say nothing about a loss that does not fall (the guide's patience)")
_IMPROVEMENT: Final = Threshold(0.01, "own: the 95 % upper bound of the relative improvement over the run lies below 1 %")
_START: Final = Threshold(5, "own: steps in which a simple task may be learnt")
_NEARLY_ALL: Final = Threshold(0.95, "own: a mean of 5 losses is above so many of the others by chance once in a thousand runs")
_RESAMPLES: Final = 500
_BLOCKS: Final = 10


class LossNotDecreasing(SymptomCheck):
    """The mean of the last third of the losses is not below that of the first third: a bootstrap over blocks of steps bounds
    the relative improvement from above. Silent on programs with several optimizers, whose losses play against each other, on
    losses that begin at almost nothing, and where the model does better than the best constant (it has converged) or, where
    that is not known, the first few losses lie above nearly all of the last ones (it has converged at once)."""

    code = "DLX106"
    name = "loss-not-decreasing-or-erratic"
    symptom = "loss not decreasing"
    confidence = Confidence.MEDIUM
    explains = ("accuracy not increasing", "no better than baseline")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per loss."""
        if len(run.tracks) != 1 or any(course.has_learnt for course in courses(run)):
            return
        is_known = bool(judged_courses(run))
        for loss in run.losses:
            if len(loss.values) >= _STEPS.value and _is_plain(loss) and (is_known or not _fell_at_once(loss.values)):
                improvement, bound = improvement_bound(loss.values)
                if bound < _IMPROVEMENT.value:
                    yield self.found(
                        f"The loss has not fallen in {loss.steps[-1]} steps: it began at {_mean(loss.values[:10]):.4g} and is "
                        f"{_mean(loss.values[-10:]):.4g} now (improvement at most {bound:.1%} with 95 % confidence)",
                        loss.place,
                        step=loss.steps[-1],
                        first=_mean(loss.values[:10]),
                        last=_mean(loss.values[-10:]),
                        improvement=improvement,
                        upper_bound=bound,
                    )

    def remark(self, run: RunRecord) -> str | None:
        """Says when there were too few steps."""
        if run.losses and all(len(loss.values) < _STEPS.value for loss in run.losses):
            longest = max(len(loss.values) for loss in run.losses)
            return f"too few steps to say whether the loss falls ({longest}; {_STEPS.value:.0f} are needed)"
        return None


def _is_plain(loss: LossRecord) -> bool:
    """Whether relative improvement means something: finite values of one sign that are not tiny."""
    return (
        not loss.is_surrogate
        and all(abs(value) < float("inf") for value in loss.values)
        and min(loss.values) >= 0
        and _mean(loss.values[:10]) > 1e-3
    )


def _fell_at_once(values: Sequence[float]) -> bool:
    """Whether the first losses are above nearly all of the last third."""
    last = sorted(values[-len(values) // 3 :])
    return _mean(values[: int(_START.value)]) > last[int(_NEARLY_ALL.value * len(last))]


def improvement_bound(values: Sequence[float]) -> tuple[float, float]:
    """The relative improvement from the first third to the last one, and its upper bound at 95 % confidence."""
    third = len(values) // 3
    first, last = _block_means(values[:third]), _block_means(values[-third:])
    draws = Random(0)
    resampled = sorted(
        _relative(draws.choices(first, k=len(first)), draws.choices(last, k=len(last))) for _ in range(_RESAMPLES)
    )
    return _relative(first, last), resampled[int(0.95 * _RESAMPLES)]


def _block_means(values: Sequence[float]) -> list[float]:
    size = max(len(values) // _BLOCKS, 1)
    return [_mean(values[start : start + size]) for start in range(0, len(values) - size + 1, size)]


def _relative(first: Sequence[float], last: Sequence[float]) -> float:
    return (_mean(first) - _mean(last)) / max(abs(_mean(first)), 1e-12)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
