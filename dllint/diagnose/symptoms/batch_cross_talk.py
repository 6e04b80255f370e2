"""DLX110: samples of a batch that influence each other's predictions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import courses
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence, Severity

_SHARE: Final = Threshold(1e-6, "survey of tools: exactly 0 in a model of independent samples; own margin for rounding")

#: Below this, the share in a message would be rounded to 0.
_SHOWN: Final = 0.01


class BatchCrossTalk(SymptomCheck):
    """The prediction for one sample depends on the other samples of the batch, in evaluation mode: a reshape, a reduction or a
    recurrent layer takes the batch for another axis. Contrastive losses and models of several inputs are not asked; only a hint
    if every step has the same data, which may be one graph whose nodes are meant to exchange messages."""

    code = "DLX110"
    name = "cannot-fit-single-batch"
    symptom = "batch cross-talk"
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model."""
        for experiment in run.experiments:
            if experiment.name != "cross-talk":
                continue
            own, others = experiment.values["own"], experiment.values["others"]
            if others > _SHARE.value * max(own, 1e-30):
                layer = run.layer(experiment.model)
                share = others / (own + others)
                yield self.found(
                    f"The predictions of {experiment.model} for one sample depend on the other samples of the batch "
                    f"({f'{share:.0%}' if share >= _SHOWN else 'less than 1%'} of the effect of the inputs is theirs)",
                    layer.place if layer is not None else None,
                    layer=experiment.model,
                    severity=Severity.INFO if any(course.repeats_one_batch for course in courses(run)) else None,
                    own=own,
                    others=others,
                )
