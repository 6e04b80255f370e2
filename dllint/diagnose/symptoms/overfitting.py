"""DLX108: a model that gets better on its training data only."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from dllint.diagnose.records import LossRecord, MetricRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence, Severity

_EVALUATIONS: Final = Threshold(4, "own: evaluations that a turn must show in")
_RISE: Final = Threshold(0.1, "SageMaker Debugger: validation loss above its best by a tenth")
_PAST: Final = Threshold(2, "own: evaluations since the best one")


class Overfitting(SymptomCheck):
    """The loss on data that the model is not trained on rises while the training loss goes on falling."""

    code = "DLX108"
    name = "overfitting-or-regularisation-dominates"
    symptom = "overfitting"
    severity = Severity.INFO
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        if len(run.losses) != 1 or len(run.tracks) != 1:
            return
        metric = next((metric for metric in run.metrics if metric.name == "val_loss"), None)
        if metric is None or len(metric.values) < _EVALUATIONS.value:
            return
        best = min(metric.values)
        at = metric.values.index(best)
        last = fmean(metric.values[-2:])
        rises = last > best + _RISE.value * abs(best) and len(metric.values) - 1 - at >= _PAST.value
        if rises and _falls(run.losses[0], metric, at):
            yield self.found(
                f"The validation loss was best at step {metric.steps[at]} ({best:.4g}) and has risen to {last:.4g}, while the "
                "training loss went on falling",
                run.losses[0].place,
                step=metric.steps[-1],
                best=best,
                last=last,
                best_step=metric.steps[at],
            )


def _falls(loss: LossRecord, metric: MetricRecord, at: int) -> bool:
    """Whether the training loss of late is below that around the best evaluation."""
    before = [value for step, value in zip(loss.steps, loss.values, strict=True) if step <= metric.steps[at]][-20:]
    return bool(before) and fmean(loss.values[-20:]) < fmean(before)
