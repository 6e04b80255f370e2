"""DLX111: an early stop that ends a training whose measure goes on getting better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import DecisionRecord, RunRecord
from dllint.diagnose.symptoms.decisions import direction
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_GAIN: Final = Threshold(0.1, "own: of its first value, which a measure that stands still does not gain while a stop waits")


class StopWhileImproving(SymptomCheck):
    """A training was stopped early at the best value that its measure had, and it was still getting better by a tenth of its
    first value while the stop waited: `min_delta` is too large for this measure. Silent where the stop has a value to reach."""

    code = "DLX111"
    name = "train-eval-inconsistency"
    symptom = "stopped while improving"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each object that has stopped a training."""
        for record in run.decisions:
            gain = _gain(record)
            if gain is None or gain < _GAIN.value * abs(record.values[0]):
                continue
            yield self.found(
                f"`{record.kind}` has ended the training at the best `{record.measure}` of all ({record.values[-1]:.4g}, after "
                f"{record.values[0]:.4g} at first): what it gained was less than `min_delta={record.margin:g}`",
                record.place,
                decider=record.kind,
                measure=record.measure,
                margin=record.margin,
                gain=gain,
                times=len(record.values),
            )


def _gain(record: DecisionRecord) -> float | None:
    """By how much a measure got better while its stop waited, if that ended at its best value."""
    best = max if record.mode == "max" else min
    if (
        not record.margin
        or record.waited < 1
        or len(record.values) <= record.waited
        or direction(record.measure) != record.mode
    ):
        return None
    is_best = record.values[-1] == best(record.values)
    return abs(record.values[-1] - record.values[-1 - record.waited]) if is_best else None
