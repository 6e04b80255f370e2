"""DLX112: data that a model is evaluated on, and that cannot tell how well it does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dllint.diagnose.records import HeldOutRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_SHARED: Final = Threshold(0.2, "own: more than the few equal samples that collections of data have")
_SAMPLES: Final = Threshold(20, "own: samples by which an evaluation is more than a trial of the program")
_PART: Final = Threshold(0.3, "own: a good part of a side; rare classes come and go in data with an order in time")
_CHANCE: Final = Threshold(1e-6, "own: how likely a split by chance leaves a class out")


class SharedSamples(SymptomCheck):
    """Samples that the model is evaluated on are among those that it is trained on, equal in inputs and targets: the measure
    is no other than that of the training. Silent on data whose samples are equal by chance."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "evaluation on training samples"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each evaluation."""
        for record in run.held_out:
            if record.samples < _SAMPLES.value or record.shared < _SHARED.value * record.samples:
                continue
            count = "All" if record.shared == record.samples else f"{record.shared} of"
            yield self.found(
                f"{count} {record.samples} samples of the evaluation are among those that the model is trained on, so "
                "that it says little about others",
                record.place,
                samples=record.samples,
                shared=record.shared,
            )


class OtherClasses(SymptomCheck):
    """The library has taken the end of the data for the evaluation, and classes are on one side only of that split, as chance
    would not have it: the data is sorted. Silent on other splits, which may be meant."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "evaluation of other classes"
    explains = ("overfitting",)

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each split."""
        for record in run.held_out:
            classes = {**record.trained, **record.classes}
            odd = [name for name in classes if _is_odd(record, name)] if record.is_tail else []
            if max(_share(record.classes, odd), _share(record.trained, odd)) < _PART.value:
                continue
            listed = ", ".join(odd[:3]) + (", ..." if len(odd) > 3 else "")
            yield self.found(
                f"The end of the data is taken for the evaluation, and the data is sorted: {len(odd)} of {len(classes)} "
                f"classes ({listed}) are on one side only",
                record.place,
                classes=len(odd),
                samples=sum(record.classes.values()),
            )


def _share(counts: Mapping[str, int], names: Sequence[str]) -> float:
    return sum(counts.get(name, 0) for name in names) / max(sum(counts.values()), 1)


def _is_odd(record: HeldOutRecord, name: str) -> bool:
    """Whether a class is on one side only, and chance would not have that."""
    here, there = record.classes.get(name, 0), record.trained.get(name, 0)
    held, trained = sum(record.classes.values()), sum(record.trained.values())
    if (here and there) or not held or not trained:
        return False
    side = trained if there else held
    return (here + there) * math.log(side / (held + trained)) < math.log(_CHANCE.value)
