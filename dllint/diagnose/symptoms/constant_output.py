"""DLX110: predictions that do not depend on the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import sole_course
from dllint.diagnose.records import LossCall, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_SAMPLES: Final = Threshold(3, "own: in 3 batches of late")
_STEPS: Final = Threshold(20, "own: the first steps may start from weights of 0")
_FLAT: Final = Threshold(1e-6, "own: variation over samples against the size of the outputs")
_BATCH: Final = Threshold(4, "own: samples in a batch")


class ConstantOutput(SymptomCheck):
    """All samples of a batch get the same prediction although their targets differ: the outputs do not depend on the inputs."""

    code = "DLX110"
    name = "cannot-fit-single-batch"
    symptom = "input-independent output"
    explains = ("accuracy not increasing", "loss not decreasing", "cannot fit one batch", "no better than baseline")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or course.steps[-1].step < _STEPS.value:
            return
        last = course.latest
        if len(last) >= _SAMPLES.value and all(_is_constant(call) for call in last):
            call = last[-1]
            yield self.found(
                f"All {call.prediction_shape[0]} samples of a batch get the same prediction, whatever their inputs are",
                call.place,
                step=course.steps[-1].step,
                spread=call.spread,
                mean=call.prediction.mean,
            )


def _is_constant(call: LossCall) -> bool:
    if call.spread is None or call.prediction_shape[0] < _BATCH.value or call.target.std == 0:
        return False
    return call.spread <= _FLAT.value * max(abs(call.prediction.mean), call.prediction.std, 1e-30)
