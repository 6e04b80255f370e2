"""DLX104: gradients, steps or a loss that grow out of bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median, pstdev
from typing import Final

from dllint.diagnose.learning import courses, has_fallen_far, judged_courses, learning_rate, sole_course
from dllint.diagnose.records import LossRecord, RunRecord, StepRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_LOSS_GROWTH: Final = Threshold(3, "survey of tools: the loss is above 3 times its first value")
_CERTAIN_GROWTH: Final = Threshold(10, "own: this growth of the loss needs no other sign")
_UPDATE_SHARE: Final = Threshold(0.1, "survey of tools: updates above a tenth of the weights, sustained")
_SUSTAINED: Final = Threshold(5, "own: sampled steps in a row")
_FIRST: Final = Threshold(10, "own: sampled steps that the first update counts over")
_LATE: Final = Threshold(0.1, "own: the share of a run that is its end")
_JUMPS: Final = Threshold(3, "survey of tools: 3 times")
_BEFORE: Final = Threshold(10, "own: sampled steps that a running median rests on")
_GRADIENT_GROWTH: Final = Threshold(20, "survey of tools: gradients above 20 times their running median, 3 times")


class Exploding(SymptomCheck):
    """The loss has grown to several times its first value and stays there while the updates are large against the weights; or
    it did so once, after updates that were large against the weights, and the model has been no better than a constant ever
    since; or gradients that are not clipped have jumped to many times their running median several times. Silent where the
    model does better than a constant (targets that grow, as in Q-learning, raise the loss), on losses of policy gradients,
    which grow with success, and on jumps of gradients while a loss falls that nothing else is known of: where most batches have
    a loss of 0, every other one is a jump."""

    code = "DLX104"
    name = "vanishing-or-exploding-gradient"
    symptom = "exploding"
    explains = (
        "loss not decreasing",
        "accuracy not increasing",
        "input-independent output",
        "no better than baseline",
        "update-to-weight ratio",
        "gradient noise",
    )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per loss; without one, at most one about gradients."""
        if any(course.has_learnt for course in courses(run)):
            return
        for find in (self._diverging, self._thrown, self._jumping):
            found = tuple(find(run))
            yield from found
            if found:
                return

    def _thrown(self, run: RunRecord) -> Iterator[Symptom]:
        """Large steps at the beginning have led to where nothing is learnt."""
        course = sole_course(run)
        if course is None or not course.is_stuck or len(run.losses) != 1:
            return
        loss, track = run.losses[0], run.tracks[0]
        values = [value for value in loss.values if math.isfinite(value)]
        share = max(_update_shares(run.steps[: int(_FIRST.value)]), default=0.0)
        if len(values) < _SUSTAINED.value or share <= _UPDATE_SHARE.value or values[0] <= 0:
            return
        peak = max(values)
        if peak > _LOSS_GROWTH.value * values[0]:
            at = loss.steps[loss.values.index(peak)]
            yield self.found(
                f"The first steps threw the weights about (by up to {share:.2g} of their size): the loss rose from "
                f"{values[0]:.4g} to {peak:.4g} at step {at}, and the model has been no better than a constant since",
                track.optimizer.place,
                step=at,
                related=((loss.place, "the loss is computed here"),) if loss.place is not None else (),
                first=values[0],
                peak=peak,
                update_share=share,
                learning_rate=learning_rate(run.steps),
            )

    def _jumping(self, run: RunRecord) -> Iterator[Symptom]:
        track = run.tracks[0] if len(run.tracks) == 1 else None
        if track is None or track.clipped or (not judged_courses(run) and any(map(has_fallen_far, run.losses))):
            return
        jumps = tuple(_jumps([step for step in run.steps if step.track == track.key]))
        if len(jumps) >= _JUMPS.value:
            step, factor = jumps[-1]
            yield self.found(
                f"The gradient explodes: {len(jumps)} sampled steps had one above {_GRADIENT_GROWTH.value:.0f} times the "
                f"median of those before (step {step}: {factor:.0f} times), and it is not clipped",
                track.optimizer.place,
                step=step,
                jumps=len(jumps),
                factor=factor,
            )

    def _diverging(self, run: RunRecord) -> Iterator[Symptom]:
        for loss in run.losses:
            track = run.track(loss.track)
            if track is None or len(loss.values) < _SUSTAINED.value or len(run.tracks) != 1 or loss.is_surrogate:
                continue
            first, now = loss.values[0], _late(loss)
            steps = [step for step in run.steps if step.track == track.key]
            share, grown = _update_share(steps[-int(_SUSTAINED.value) :]), _gradient_growth(steps)
            growth = 1 + (now - first) / max(_size(loss.values), 1e-3)
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
                    learning_rate=learning_rate(steps),
                )


def _size(values: Sequence[float]) -> float:
    """The size of a loss at first. One that may be negative can be near 0 at any time: its usual swing is its size."""
    early = values[: max(len(values) // 2, 1)]
    return abs(values[0]) if min(values) >= 0 else max(abs(values[0]), pstdev(early))


def _late(loss: LossRecord) -> float:
    """The loss at the end: the median of the last values; of one that jumps, the mean."""
    values = loss.values[-max(int(_LATE.value * len(loss.values)), 5) :]
    return max(median(values[-5:]), sum(values) / len(values))


def _update_share(steps: Sequence[StepRecord]) -> float:
    """The median over steps of the size of the update against that of the weights."""
    return median(_update_shares(steps) or [0.0])


def _update_shares(steps: Sequence[StepRecord]) -> list[float]:
    shares = []
    for step in steps:
        weights = math.hypot(*(sample.weight for sample in step.parameters.values() if sample.update is not None))
        updates = math.hypot(*(sample.update for sample in step.parameters.values() if sample.update is not None))
        shares.append(updates / weights if weights else 0.0)
    return shares


def _norm(step: StepRecord) -> float:
    return math.hypot(*(sample.gradient or 0.0 for sample in step.parameters.values()))


def _jumps(steps: Sequence[StepRecord]) -> Iterator[tuple[int, float]]:
    """The steps whose gradient is far above the running median, with the factor."""
    norms = [_norm(step) for step in steps]
    for at in range(int(_BEFORE.value), len(norms)):
        usual = median(norms[max(at - 20, 0) : at])
        if usual and norms[at] > _GRADIENT_GROWTH.value * usual:
            yield steps[at].step, norms[at] / usual


def _gradient_growth(steps: Sequence[StepRecord]) -> float:
    norms = [_norm(step) for step in steps]
    if len(norms) < 2 * _SUSTAINED.value or not median(norms[:5]):
        return 0.0
    return median(norms[-5:]) / median(norms[:5])
