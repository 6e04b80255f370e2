"""DLX110: samples of a batch that influence each other's predictions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import courses
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence, Severity

_SHARE: Final = Threshold(1e-6, "survey of tools: exactly 0 in a model of independent samples; own margin for rounding")

_MUCH: Final = Threshold(0.05, "own: the effect of other samples from which on it explains that nothing is learnt")
#: Below this, the share in a message would be rounded to 0.
_SHOWN: Final = 0.01


class BatchCrossTalk(SymptomCheck):
    """The prediction for one sample depends on the other samples of the batch, in evaluation mode: a reshape, a reduction or a
    recurrent layer takes the batch for another axis. Not asked are contrastive losses, and models with an input that has not
    one row for each sample, or another axis of that size (graphs, masks of pairs); only a hint
    if every step has the same data, which may be one graph whose nodes are meant to exchange messages."""

    code = "DLX110"
    name = "cannot-fit-single-batch"
    symptom = "batch cross-talk"
    confidence = Confidence.MEDIUM
    #: What follows where predictions are those of other samples.
    explains = (
        "accuracy not increasing",
        "loss not decreasing",
        "no better than baseline",
        "cannot fit one batch",
        "gradient noise",
        "oscillation",
    )

    def explaining(self, symptom: Symptom) -> tuple[str, ...]:
        """A good part of the effect must be that of other samples."""
        share = symptom.evidence.get("others_share")
        return (
            self.explains if isinstance(share, float) and share > _MUCH.value and symptom.severity is not Severity.INFO else ()
        )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model."""
        for experiment in run.experiments:
            if experiment.name != "cross-talk":
                continue
            own, others = experiment.values["own"], experiment.values["others"]
            if others > _SHARE.value * max(own, 1e-30):
                layer = run.layer(experiment.model)
                share = others / (own + others)
                mixed = f"`{experiment.operation}` mixes the samples of the batch here: the" if experiment.place else "The"
                yield self.found(
                    f"{mixed} predictions of {experiment.model} for one sample depend on the other samples of the batch "
                    f"({f'{share:.0%}' if share >= _SHOWN else 'less than 1%'} of the effect of the inputs is theirs)",
                    experiment.place or (layer.place if layer is not None else None),
                    layer=experiment.model,
                    severity=Severity.INFO if any(course.repeats_one_batch for course in courses(run)) else None,
                    related=((layer.place, "the model is built here"),) if experiment.place and layer and layer.place else (),
                    own=own,
                    others=others,
                    others_share=share,
                )
