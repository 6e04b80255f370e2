"""DLX105: gradients that are clipped until nothing is left of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Final

from dllint.diagnose.learning import sole_course
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import RunRecord, StepRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.diagnose.symptoms.update_ratio import update_share

_CUT: Final = Threshold(10.0, "own: clipping that is meant for exceptions does not cut every step to a tenth")
_SMALL: Final = Threshold(1e-4, "survey of tools: a tenth of the healthy ratio of updates to weights")
_STEPS: Final = Threshold(100, "own: steps after which a model that learns would show it")
_SAMPLES: Final = Threshold(10, "own: sampled steps")
#: Settings of optimizers that clip: all gradients together, or each variable's.
_JOINT: Final = "global_clipnorm"
_SINGLE: Final = "clipnorm"


@dataclass(frozen=True, slots=True)
class _Cut:
    """What a step's gradients were before and after they were clipped. ``largest`` is the norm that the limit is for: of all
    together, or that of the variable with the largest where each is clipped by itself (``apart``)."""

    norm: float
    kept: float
    limit: float
    place: SourcePlace | None
    largest: float
    apart: bool = False


class ClippedAway(SymptomCheck):
    """Every sampled step was clipped to less than a tenth of its gradients, the weights hardly move, and without clipping they
    would move. Silent while the model does better than a constant, and where the size of a step does not depend on that of the
    gradients (Adam)."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "gradients clipped away"
    explains = (
        "update-to-weight ratio",
        "gradient noise",
        "oscillation",
        "loss not decreasing",
        "accuracy not increasing",
        "no better than baseline",
    )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or not course.is_stuck or run.tracks[0].steps < _STEPS.value:
            return
        known = [(_cut(step), update_share(step)) for step in run.steps]
        cuts = [(cut, share) for cut, share in known if cut is not None and share is not None]
        if len(cuts) < max(_SAMPLES.value, len(known) / 2) or any(cut.norm < _CUT.value * cut.kept for cut, _ in cuts):
            return
        share = median(share for _, share in cuts)
        whole = median(share * cut.norm / cut.kept for cut, share in cuts)
        if share < _SMALL.value <= whole:
            yield self._found(run, [cut for cut, _ in cuts], share)

    def _found(self, run: RunRecord, cuts: list[_Cut], share: float) -> Symptom:
        norm, last = median(cut.largest for cut in cuts), cuts[-1]
        whose, whom = ("the largest gradient of a variable has", " of each") if last.apart else ("the gradients have", "")
        return self.found(
            f"Every step is clipped: {whose} a norm of about {norm:.2g}, and {last.limit:g}{whom} is let through, so that a "
            f"step changes the weights by {share:.1g} of their size (about 0.001 is healthy)",
            last.place or run.tracks[0].optimizer.place,
            step=run.tracks[0].steps,
            norm=norm,
            limit=last.limit,
            ratio=share,
        )


def _cut(step: StepRecord) -> _Cut | None:
    """By a call, or by the optimizer; ``None`` if neither clips, or nothing was left to clip."""
    given = step.clipping
    if given is not None and given.limit:
        return _joint(given.norm, given.limit, given.place) if given.norm else None
    settings = step.groups[0] if step.groups else {}
    joint, single = settings.get(_JOINT), settings.get(_SINGLE)
    norms = [sample.gradient for sample in step.parameters.values() if sample.gradient]
    norm = math.hypot(*norms)
    if isinstance(joint, float) and joint and norm:
        return _joint(norm, joint, None)
    if isinstance(single, float) and single and norm:
        kept = math.hypot(*(min(one, single) for one in norms))
        return _Cut(norm, kept, single, None, max(norms), apart=True)
    return None


def _joint(norm: float, limit: float, place: SourcePlace | None) -> _Cut:
    return _Cut(norm, min(norm, limit), limit, place, norm)
