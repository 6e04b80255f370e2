"""DLX114: a model that a simple one beats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import is_beaten_by, lead_of
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence, Severity

_STEPS: Final = Threshold(100, "own: a model that was hardly trained need not be good (the guide's patience)")
_PATIENT: Final = Threshold(500, "own: steps after which even a slow model should have passed a linear one")
_NAMES: Final = {
    "constant": "always predicting the same",
    "linear": "a linear regression",
    "logistic": "a logistic regression",
    "pca": "a principal component analysis of the same size",
}


class NoBetterThanBaseline(SymptomCheck):
    """A constant, a linear or logistic regression, or a principal component analysis (of autoencoders) does better on the data
    that was seen than the model did of late, by more than chance gives."""

    code = "DLX114"
    name = "no-better-than-baseline"
    symptom = "no better than baseline"
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report: the best of the simple models that beat this one."""
        steps = max((track.steps for track in run.tracks), default=0)
        if steps < _STEPS.value or len(run.tracks) != 1:
            return
        beating = [record for record in run.baselines if is_beaten_by(record)]
        if not beating:
            return
        best = max(beating, key=lead_of)
        yield self.found(
            f"The model is worse than {_NAMES[best.kind]} on the same data: {_formatted(best.measure, best.model)} against "
            f"{_formatted(best.measure, best.baseline)}",
            best.place,
            step=steps,
            severity=Severity.WARNING if best.kind == "constant" or steps >= _PATIENT.value else Severity.INFO,
            baseline=best.kind,
            measure=best.measure,
            value=best.baseline,
            model=best.model,
        )


def _formatted(measure: str, value: float) -> str:
    return f"{value:.1%} right" if measure == "accuracy" else f"a squared error of {value:.4g}"
