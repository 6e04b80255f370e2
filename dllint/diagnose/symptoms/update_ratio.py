"""DLX105: steps that are far too small or far too large for the weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median
from typing import Final

from dllint.diagnose.learning import learning_rate, sole_course
from dllint.diagnose.records import RunRecord, StepRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_SMALL: Final = Threshold(1e-5, "survey of tools: updates below a hundred-thousandth of the weights")
_LARGE: Final = Threshold(0.1, "survey of tools: updates above a tenth of the weights")
_STEPS: Final = Threshold(100, "own: steps after which a model that learns would show it")
_SAMPLES: Final = Threshold(10, "own: sampled steps in a row")


class UpdateRatio(SymptomCheck):
    """A step should change the weights by about a thousandth of their size. Silent while the model does better than a constant,
    whatever its steps are; a small ratio counts only if no sampled step was larger (a schedule ends with small ones), and one
    of 0 is that of weights which are not trained at all."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "update-to-weight ratio"
    confidence = Confidence.MEDIUM
    explains = ("gradient noise", "oscillation", "loss not decreasing", "accuracy not increasing", "no better than baseline")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or not course.is_stuck or run.tracks[0].steps < _STEPS.value:
            return
        ratios = [ratio for ratio in map(update_share, run.steps) if ratio is not None]
        if len(ratios) < _SAMPLES.value:
            return
        late = median(ratios[-int(_SAMPLES.value) :])
        if 0 < max(ratios) < _SMALL.value:
            yield self._found(run, max(ratios), "hardly move")
        elif late > _LARGE.value:
            yield self._found(run, late, "are thrown about")

    def _found(self, run: RunRecord, ratio: float, what: str) -> Symptom:
        track = run.tracks[0]
        return self.found(
            f"The weights {what}: a step changes them by {ratio:.1g} of their size (about 0.001 is healthy), and the model is "
            "no better than a constant",
            track.optimizer.place,
            step=track.steps,
            ratio=ratio,
            learning_rate=learning_rate(run.steps),
        )


def update_share(step: StepRecord) -> float | None:
    """The size of a step against that of the weights that were measured."""
    measured = [sample for sample in step.parameters.values() if sample.update is not None and sample.weight]
    if not measured:
        return None
    return math.hypot(*(sample.update or 0.0 for sample in measured)) / math.hypot(*(sample.weight for sample in measured))
