"""DLX106: gradients of different batches that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import sole_course
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence, Severity

_RATIO: Final = Threshold(3.0, "survey of tools: the difference of two halves' gradients is far above their mean")
_COSINE: Final = Threshold(0.0, "survey of tools: they point in opposite directions")


class GradientNoise(SymptomCheck):
    """The gradients of two halves of the data point in opposite directions while the model does no better than a constant: the
    batch is too small, or the learning rate too high. At a minimum, gradients are nothing but noise."""

    code = "DLX106"
    name = "loss-not-decreasing-or-erratic"
    symptom = "gradient noise"
    severity = Severity.INFO
    confidence = Confidence.LOW

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model."""
        course = sole_course(run)
        for experiment in run.experiments:
            if experiment.name != "gradient-noise" or course is None or not course.is_stuck:
                continue
            cosine, ratio = experiment.values["cosine"], experiment.values["ratio"]
            if cosine < _COSINE.value and ratio > _RATIO.value:
                yield self.found(
                    f"The gradients of two halves of the data contradict each other (cosine {cosine:.2f}; their difference is "
                    f"{ratio:.1f} times their mean)",
                    run.tracks[0].optimizer.place,
                    layer=experiment.model,
                    cosine=cosine,
                    ratio=ratio,
                )
