"""DLX112: the target is among the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import BatchRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_BATCHES: Final = Threshold(10, "own: batches in all of which a column is the target")
_COLUMNS: Final = Threshold(3, "own: with fewer columns, a target is often a multiple of one in a trial of the program")


class TargetAmongInputs(SymptomCheck):
    """A column of the input is the target itself, up to a scale and an offset, in every batch: what is to be predicted was left
    among what it is predicted from."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "target among the inputs"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        batches = [step.batch for step in run.steps if step.batch is not None and _has_columns(step.batch)]
        common = set.intersection(*(set(batch.revealing) for batch in batches)) if len(batches) >= _BATCHES.value else set()
        if not common:
            return
        column, columns = min(common), batches[-1].tensors[0].shape[1]
        loader = batches[-1].place
        call = next((loss.backward for loss in run.losses if loss.backward is not None), None)
        yield self.found(
            f"Column {column} of the {columns} of the input (counted from 0) is the target itself, up to scale and offset",
            loader or call,
            column=column,
            columns=columns,
        )


def _has_columns(batch: BatchRecord) -> bool:
    first = batch.tensors[0]
    return first.role == "input" and len(first.shape) == 2 and first.shape[1] >= _COLUMNS.value
