"""DLX106: a loss below 0 that cannot be below 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import Course, sole_course
from dllint.diagnose.records import LossRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_SAMPLES: Final = Threshold(3, "own: in 3 sampled steps")
_SAME: Final = Threshold(1e-3, "own: relative difference up to which two numbers are the same")
_ROUNDING: Final = Threshold(-1e-5, "own: what rounding may leave of 0")


class InvalidLoss(SymptomCheck):
    """A loss function that has no negative values (cross entropy, squared error) gives some, or what is minimised is its
    negative. Negative likelihoods of densities and losses of one's own may well be negative."""

    code = "DLX106"
    name = "loss-not-decreasing-or-erratic"
    symptom = "invalid loss"
    severity = Severity.ERROR
    explains = (
        "loss not decreasing",
        "accuracy not increasing",
        "cannot fit one batch",
        "exploding",
        "numerical error",
        "no better than baseline",
    )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or len(course.calls) < _SAMPLES.value:
            return
        negative = [call.value for call in course.calls if call.value < _ROUNDING.value]
        if len(negative) >= _SAMPLES.value:
            yield self.found(
                f"The loss is {negative[-1]:.4g}, but `{course.kind}` of what it is made for is never below 0",
                course.calls[-1].place,
                step=course.steps[-1].step,
                value=negative[-1],
            )
            return
        loss = next((loss for loss in run.losses if _is_negative_of(loss, course)), None)
        if loss is not None:
            yield self.found(
                f"What is minimised is the negative of `{course.kind}`: training makes the predictions worse",
                loss.place,
                step=course.steps[-1].step,
                value=loss.values[-1],
                related=((course.calls[-1].place, "the loss is computed here"),) if course.calls[-1].place is not None else (),
            )


def _is_negative_of(loss: LossRecord, course: Course) -> bool:
    values = dict(zip(loss.steps, loss.values, strict=True))
    pairs = [
        (values[step.step], call.value)
        for step, call in zip(course.steps, course.calls, strict=True)
        if step.step in values and call.value and call.reduction == "mean"
    ]
    return len(pairs) >= _SAMPLES.value and all(abs(value + own) <= _SAME.value * abs(own) for value, own in pairs)
