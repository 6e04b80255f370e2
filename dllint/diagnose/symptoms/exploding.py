"""DLX104: gradients, steps or a loss that grow out of bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from dllint.diagnose.records import RunRecord, StepRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_LOSS_GROWTH: Final = Threshold(3, "fact sheet: the loss is above 3 times its first value")
_CERTAIN_GROWTH: Final = Threshold(10, "own: this growth of the loss needs no other sign")
_UPDATE_SHARE: Final = Threshold(0.1, "fact sheet: updates above a tenth of the weights, sustained")
_SUSTAINED: Final = Threshold(5, "own: sampled steps in a row")
_GRADIENT_GROWTH: Final = Threshold(20, "fact sheet: gradients above 20 times their running median, 3 times")


class Exploding(SymptomCheck):
    """The loss has grown to several times its first value and stays there while the updates are large against the weights."""

    code = "DLX104"
    name = "vanishing-or-exploding-gradient"
    symptom = "exploding"
    explains = ("loss not decreasing",)

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per loss."""
        for loss in run.losses:
            track = run.track(loss.track)
            if track is None or len(loss.values) < _SUSTAINED.value or len(run.tracks) != 1:
                continue
            first, now = abs(loss.values[0]), median(abs(value) for value in loss.values[-5:])
            steps = [step for step in run.steps if step.track == track.key]
            share, grown = _update_share(steps[-int(_SUSTAINED.value) :]), _gradient_growth(steps)
            growth = now / max(first, 1e-3)
            is_driven = share > _UPDATE_SHARE.value or grown > _GRADIENT_GROWTH.value
            if growth > _CERTAIN_GROWTH.value or (growth > _LOSS_GROWTH.value and is_driven):
                yield self.found(
                    f"Training diverges: the loss has grown from {first:.4g} to {now:.4g} in {loss.steps[-1]} steps; "
                    f"a step changes the weights by {share:.2g} of their size",
                    track.optimizer.place,
                    step=loss.steps[-1],
                    related=((loss.place, "the loss is computed here"),) if loss.place is not None else (),
                    first=first,
                    last=now,
                    update_share=share,
                    gradient_growth=grown,
                    learning_rate=_learning_rate(steps),
                )


def _update_share(steps: Sequence[StepRecord]) -> float:
    """The median over steps of the size of the update against that of the weights."""
    shares = []
    for step in steps:
        weights = math.hypot(*(sample.weight for sample in step.parameters.values() if sample.update is not None))
        updates = math.hypot(*(sample.update for sample in step.parameters.values() if sample.update is not None))
        shares.append(updates / weights if weights else 0.0)
    return median(shares) if shares else 0.0


def _gradient_growth(steps: Sequence[StepRecord]) -> float:
    norms = [math.hypot(*(sample.gradient or 0.0 for sample in step.parameters.values())) for step in steps]
    if len(norms) < 2 * _SUSTAINED.value or not median(norms[:5]):
        return 0.0
    return median(norms[-5:]) / median(norms[:5])


def _learning_rate(steps: Sequence[StepRecord]) -> float | None:
    rates = [group.get("lr") for step in steps[-1:] for group in step.groups]
    return next((float(rate) for rate in rates if isinstance(rate, int | float)), None)
