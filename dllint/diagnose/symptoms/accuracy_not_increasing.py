"""DLX107: an accuracy that is no better than always guessing the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import half_width, majority, sole_course
from dllint.diagnose.records import MetricRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_STEPS: Final = Threshold(100, "own: fewer steps than this say nothing about an accuracy (the guide's patience)")
_LABELS: Final = Threshold(200, "own: labels that the accuracy of late must rest on")
_SAME: Final = Threshold(1.0, "own: with labels of one class only there is nothing to learn")


class AccuracyNotIncreasing(SymptomCheck):
    """After the budget of steps the share of right predictions lies within the 95 % confidence interval of the most frequent
    class, and the loss is not below that of the best constant either (so that rare classes which are being learnt do not
    count)."""

    code = "DLX107"
    name = "accuracy-invalid-or-stuck"
    symptom = "accuracy not increasing"
    confidence = Confidence.MEDIUM
    explains = ("no better than baseline",)

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        steps = max((track.steps for track in run.tracks), default=0)
        if course is None or course.accuracy is None or course.has_learnt or steps < _STEPS.value:
            return
        accuracy, count = course.accuracy
        guess = majority(course.labels)
        if count < _LABELS.value or guess >= _SAME.value or accuracy > guess + half_width(guess, count):
            return
        yield self.found(
            f"After {steps} steps {accuracy:.1%} of the predictions are right; always guessing the most frequent class gives "
            f"{guess:.1%}",
            course.calls[-1].place,
            step=steps,
            accuracy=accuracy,
            majority=guess,
            labels=count,
        )


class InvalidAccuracy(SymptomCheck):
    """A measure that is a share by its name lies outside of [0, 1] (percentages excepted)."""

    code = "DLX107"
    name = "accuracy-invalid-or-stuck"
    symptom = "invalid accuracy"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per measure."""
        for metric in run.metrics:
            bad = _invalid(metric)
            if bad is not None:
                yield self.found(f"The accuracy `{metric.name}` is {bad:g}, which no accuracy can be", None, value=bad)


def _invalid(metric: MetricRecord) -> float | None:
    if "acc" not in metric.name.lower():
        return None
    return next((value for value in metric.values if not 0 <= value <= 100), None)
