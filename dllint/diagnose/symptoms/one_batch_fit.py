"""DLX110: a model that cannot even learn one batch by heart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import sole_course
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_LEFT: Final = Threshold(0.9, "own: of the first loss, or of the best constant's; learning by heart leaves 0.05 (TDC)")
_TRIED: Final = Threshold(100, "own: steps that were tried on the batch")


class OneBatchFit(SymptomCheck):
    """A copy of the model, trained on one batch alone with a robust optimizer, gets no better than a constant: not the data
    nor the learning rate is at fault, but the model or the loss."""

    code = "DLX110"
    name = "cannot-fit-single-batch"
    symptom = "cannot fit one batch"
    explains = ("accuracy not increasing", "loss not decreasing", "no better than baseline")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model that was tried."""
        course = sole_course(run)
        for experiment in run.experiments:
            if experiment.name != "one-batch-fit" or course is None:
                continue
            values = experiment.values
            floor = min(values["initial"], values["constant"])
            if values["steps"] >= _TRIED.value and values["final"] > _LEFT.value * floor:
                yield self.found(
                    f"{experiment.model} cannot fit a single batch: after {values['steps']:.0f} steps on it alone the loss is "
                    f"{values['final']:.4g} (it began at {values['initial']:.4g}, a constant has {values['constant']:.4g})",
                    course.calls[-1].place,
                    layer=experiment.model,
                    initial=values["initial"],
                    final=values["final"],
                    constant=values["constant"],
                )
