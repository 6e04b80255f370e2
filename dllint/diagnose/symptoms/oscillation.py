"""DLX106: a loss that goes back and forth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Final

from dllint.diagnose.learning import sole_course
from dllint.diagnose.records import LossRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_STEPS: Final = Threshold(60, "own: steps that a rhythm must show in")
_RETURN: Final = Threshold(-0.5, "own: correlation of neighbouring losses; noise alone gives 0 +- 0.3")
_SIZE: Final = Threshold(0.1, "own: the swing against the mean of the loss")


class Oscillation(SymptomCheck):
    """On the same data the loss rises and falls from step to step in the second half of the run: the steps lead across the
    minimum and back. Between different batches a change of direction in every other step is mere noise."""

    code = "DLX106"
    name = "loss-not-decreasing-or-erratic"
    symptom = "oscillation"
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or not course.repeats_one_batch or len(run.losses) != 1:
            return
        loss = run.losses[0]
        late = _late(loss)
        if len(late) < _STEPS.value / 2 or fmean(late) <= 0:
            return
        swing, correlation = pstdev(late) / fmean(late), _correlation(late)
        if swing > _SIZE.value and correlation < _RETURN.value:
            yield self.found(
                f"The loss oscillates on the same data: it swings by {swing:.0%} of its mean from step to step",
                run.tracks[0].optimizer.place,
                step=loss.steps[-1],
                swing=swing,
                correlation=correlation,
            )


def _late(loss: LossRecord) -> Sequence[float]:
    """The second half of a course without gaps."""
    has_gaps = len(loss.steps) > 1 and loss.steps[-1] - loss.steps[0] != len(loss.steps) - 1
    return () if has_gaps else loss.values[len(loss.values) // 2 :]


def _correlation(values: Sequence[float]) -> float:
    """The correlation of neighbours about the line from the first half to the second."""
    mean, variance = fmean(values), pstdev(values) ** 2
    if not variance:
        return 0.0
    return fmean((first - mean) * (second - mean) for first, second in pairwise(values)) / variance
