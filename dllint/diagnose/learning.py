"""How well a run has learnt, judged from the arguments of its loss functions: facts that several symptoms use.

A ``Course`` holds what one loss function was given over the sampled steps. A track that mixes loss functions has none, and
symptoms about learning report nothing for it. Fast programs are sampled rarely after the first steps, so ``afterwards``
evaluates the loss function once more at the end (``RunRecord.closing``), with a copy of the model (``trial``) on batches seen
before (``recent``: references, at most 64 MiB). ``has_learnt`` and ``is_stuck`` are not complements: both are false if nothing
is known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, pvariance
from typing import Final

from dllint.diagnose.records import BaselineRecord, LossCall, LossRecord, RunRecord, StepRecord, TrackRecord

#: A loss below this share of the best constant's shows that something has been learnt.
_BETTER: Final = 0.95
#: A loss below this share of it shows that the task is being solved.
_GOOD: Final = 0.5
_NOTHING: Final = 1e-12
#: Steps that the first value of a loss is the mean of, and steps after which a fall is one.
_FIRST: Final = 10
_LEAST_STEPS: Final = 50
_CONFIDENCE: Final = 1.96
#: The share of a run that is not "of late".
_EARLY: Final = 2 / 3
#: Losses whose best constant prediction is how often each label occurs.
_OF_LABELS: Final = (
    "cross_entropy",
    "nll_loss",
    "probability_cross_entropy",
    "binary_cross_entropy",
    "bce_with_logits",
)


@dataclass(frozen=True)
class Course:
    """The calls of one loss function over the sampled steps of a track, oldest first. ``latest`` shows what has been
    learnt: the calls at the end, or those of the last third of the run; it may be empty."""

    kind: str
    steps: tuple[StepRecord, ...]
    calls: tuple[LossCall, ...]
    latest: tuple[LossCall, ...]

    @cached_property
    def labels(self) -> Counter[str]:
        """How often each label was seen."""
        return _summed(call.labels for call in self.calls)

    @cached_property
    def constant(self) -> float | None:
        """The loss per element that the best constant prediction would have had; ``None`` if it is not known, or if there is
        nothing to learn."""
        known = [call.constant for call in self.calls if call.constant is not None]
        if not known or max(known) + self._spread_of_batches <= _NOTHING:
            return None
        plain = self.kind in _OF_LABELS
        # Of single batches both are too small: the best constant of a batch knows its targets.
        if plain and self.labels:
            return max(fmean(known), entropy(self.labels))
        return fmean(known) + self._spread_of_batches

    @property
    def _spread_of_batches(self) -> float:
        """The variance of the batches' mean targets, which a squared error adds to the variance within batches."""
        return pvariance([call.target.mean for call in self.calls]) if self.kind == "mse_loss" else 0.0

    @property
    def value(self) -> float | None:
        """The loss per element of late."""
        return fmean(call.value for call in self.latest) if self.latest else None

    @property
    def has_learnt(self) -> bool:
        """Whether the model does better than a constant."""
        return self.constant is not None and self.value is not None and self.value < _BETTER * self.constant

    @property
    def has_learnt_well(self) -> bool:
        """Whether the model does far better than a constant, so that partial defects do little harm."""
        return self.constant is not None and self.value is not None and self.value < _GOOD * self.constant

    @property
    def is_stuck(self) -> bool:
        """Whether the model does no better than a constant, as far as is known."""
        return self.constant is not None and self.value is not None and not self.has_learnt

    @property
    def accuracy(self) -> tuple[float, int] | None:
        """The share of right predictions of late, and of how many."""
        return accuracy_of(self.latest)

    @property
    def repeats_one_batch(self) -> bool:
        """Whether all sampled steps had the same data."""
        prints = [step.batch.fingerprint for step in self.steps if step.batch is not None]
        return len(prints) > 1 and len(set(prints)) == 1


def courses(run: RunRecord) -> tuple[Course, ...]:
    """One course per track whose steps call one loss function each; tracks that mix losses have none."""
    return tuple(course for course in (_course(run, track) for track in run.tracks) if course is not None)


def judged_courses(run: RunRecord) -> tuple[Course, ...]:
    """The courses of which is known whether the model does better than a constant."""
    return tuple(course for course in courses(run) if course.has_learnt or course.is_stuck)


def _course(run: RunRecord, track: TrackRecord) -> Course | None:
    """The course of a track; the first steps are sampled more densely, so that what is late is known from the steps."""
    steps = [step for step in run.steps if step.track == track.key and step.calls]
    kinds = {call.kind for step in steps for call in step.calls}
    if len(kinds) != 1 or any(len(step.calls) != 1 for step in steps):
        return None
    kind = kinds.pop()
    closing = tuple(call for call in run.closing if call.kind == kind)
    late = tuple(step.calls[0] for step in steps if step.step > track.steps * _EARLY)
    return Course(kind, tuple(steps), tuple(step.calls[0] for step in steps), closing or late)


def sole_course(run: RunRecord) -> Course | None:
    """The course of a run with one optimizer and one loss function; several of them may play against each other."""
    found = courses(run)
    return found[0] if len(found) == 1 and len(run.tracks) == 1 else None


def is_solving(run: RunRecord) -> bool:
    """Whether the program solves its task: far better than a constant, or, where that is unknown, with a loss that has fallen
    far."""
    judged = judged_courses(run)
    if judged:
        return all(course.has_learnt_well for course in judged)
    return bool(run.losses) and all(map(has_fallen_far, run.losses))


def has_fallen_far(loss: LossRecord) -> bool:
    """Whether a loss has lost half of the size that it had in its first steps, or more."""
    if len(loss.values) < _LEAST_STEPS:
        return False
    first, last = fmean(loss.values[:_FIRST]), fmean(loss.values[-len(loss.values) // 3 :])
    return first - last > (1 - _GOOD) * abs(first)


def lead_of(record: BaselineRecord) -> float:
    """The advantage of a baseline over the program's own model, in the unit of the measure."""
    return record.baseline - record.model if record.measure == "accuracy" else record.model - record.baseline


def is_beaten_by(record: BaselineRecord) -> bool:
    """Whether a baseline is better by more than chance allows."""
    return lead_of(record) > record.margin


def accuracy_of(calls: Sequence[LossCall]) -> tuple[float, int] | None:
    """The share of right predictions in some calls, and their number; ``None`` where labels were not counted."""
    labelled = [call for call in calls if call.labels]
    total = sum(sum(call.labels.values()) for call in labelled)
    return (sum(sum(call.hits.values()) for call in labelled) / total, total) if total else None


def majority(labels: Mapping[str, int]) -> float:
    """The share of the most frequent label."""
    return max(labels.values()) / sum(labels.values())


def entropy(labels: Mapping[str, int]) -> float:
    """The entropy of labels in nats: the cross entropy of predicting how often each occurs."""
    total = sum(labels.values())
    return -sum(count / total * math.log(count / total) for count in labels.values() if count)


def half_width(share: float, count: int) -> float:
    """Half of the 95 % confidence interval of a share."""
    return _CONFIDENCE * math.sqrt(max(share * (1 - share), 1 / max(count, 1)) / max(count, 1))


def _summed(mappings: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for mapping in mappings:
        total.update(mapping)
    return total


def learning_rate(steps: Sequence[StepRecord]) -> float | None:
    """The learning rate of the last sampled step."""
    rates = [group.get("lr") for step in steps[-1:] for group in step.groups]
    return next((float(rate) for rate in rates if isinstance(rate, int | float)), None)
