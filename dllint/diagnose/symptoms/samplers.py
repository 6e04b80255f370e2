"""DLX112: a sampler that draws from the first few samples of its data set only."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck


class SamplesNeverDrawn(SymptomCheck):
    """A weighted sampler has fewer weights than its data set has samples: its weights are those of classes, say, and it takes
    their numbers for those of samples. Silent on data sets with a length of the user's own, which is not asked for."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "samples never drawn"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each sampler."""
        for record in run.samplers:
            yield self.found(
                f"The sampler has {record.weights} weights for {record.samples} samples: only the first {record.weights} are "
                "ever drawn",
                record.place,
                weights=record.weights,
                samples=record.samples,
            )
