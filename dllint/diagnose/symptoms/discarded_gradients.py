"""DLX105: most gradients are cleared before a step has used them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_PASSES: Final = Threshold(
    20, "own: backward passes after which a pattern is no chance, such as steps that loss scaling leaves out"
)


class GradientsDiscarded(SymptomCheck):
    """At least as many passes of a line are cleared as a step uses. Silent with several optimizers (those of a GAN clear what
    the other one's loss has left), on lines of which no pass is used (gradients may be wanted for themselves), and where the
    program keeps or writes gradients itself: it may have read them before they are cleared (sharpness-aware minimisation,
    gradients of single samples)."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "discarded gradients"
    confidence = Confidence.MEDIUM
    is_mild = True

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per line that computes gradients."""
        if len(run.tracks) != 1:
            return
        for record in run.discarded:
            passes = record.cleared + record.used
            if passes < _PASSES.value or record.by_hand or not 0 < record.used <= record.cleared:
                continue
            yield self.found(
                f"The gradients of {record.cleared} of {passes} backward passes are cleared before a step has used them",
                record.place,
                step=run.tracks[0].steps,
                related=((record.backward, "they are computed here"),),
                cleared=record.cleared,
                used=record.used,
            )
