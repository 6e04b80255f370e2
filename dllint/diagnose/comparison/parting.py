"""The first difference between two runs, in causal order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from dllint.diagnose.records import LossRecord, NumericFault, ParameterSample, RunRecord, StepRecord, TrackRecord

#: What may differ within one step, causes before effects. ``weights`` are those from before the step.
ORDER: Final = ("model", "weights", "batch", "fault", "loss", "gradient", "update", "length")
#: Ends that say nothing about the program: somebody has ended the run.
_CUT_SHORT: Final = ("steps", "time", "memory", "certain", "interrupted")


@dataclass(frozen=True, slots=True)
class Parting:
    """``quantity`` (one of ``ORDER``) of ``subject`` (a parameter, a loss, a tensor; may be empty) is ``first`` in one run and
    ``second`` in the other, at a step of a track. ``distance`` is relative; ``None`` for what is no number. ``after`` is the
    last step before it that was compared in all respects."""

    track: str
    step: int
    quantity: str
    subject: str
    first: float | str
    second: float | str
    distance: float | None = None
    after: int = 0


def first_parting(a: RunRecord, b: RunRecord) -> Parting | None:
    """Where two runs part; ``None`` if they are the same as far as both were recorded."""
    model = _model(a, b)
    if model is not None:
        return model
    found = [parting for pair in zip(a.tracks, b.tracks, strict=False) for parting in _of_tracks(a, b, *pair)]
    found += [*_faults(a, b), *_missing_tracks(a, b)]
    return min(found, key=lambda parting: (parting.step, ORDER.index(parting.quantity)), default=None)


def shared_steps(a: RunRecord, b: RunRecord, track: str, other: str) -> list[tuple[StepRecord, StepRecord]]:
    """The steps of a track that were looked at closely in both runs."""
    first, second = ({step.step: step for step in run.steps if step.track == key} for run, key in ((a, track), (b, other)))
    return [(first[step], second[step]) for step in sorted(first.keys() & second.keys())]


def paired_losses(a: RunRecord, b: RunRecord) -> list[tuple[LossRecord, LossRecord]]:
    """The losses of both runs, in the order in which they were first asked for gradients."""
    return list(zip(a.losses, b.losses, strict=False))


def distance(first: float, second: float) -> float:
    """The relative difference; 0 for equal numbers and for two that are no numbers."""
    if first == second or (math.isnan(first) and math.isnan(second)):
        return 0.0
    if not (math.isfinite(first) and math.isfinite(second)):
        return math.inf
    return abs(first - second) / max(abs(first), abs(second))


def _model(a: RunRecord, b: RunRecord) -> Parting | None:
    """Other weights than the other run has."""
    first, second = ({parameter.name: parameter.shape for parameter in run.parameters} for run in (a, b))
    for name in [*first, *(name for name in second if name not in first)]:
        if first.get(name) != second.get(name):
            shapes = [str(shapes.get(name, "not there")) for shapes in (first, second)]
            return Parting("", 0, "model", name, shapes[0], shapes[1])
    return None


def _of_tracks(a: RunRecord, b: RunRecord, first: TrackRecord, second: TrackRecord) -> Iterator[Parting]:
    shared = shared_steps(a, b, first.key, second.key)
    found = [
        *_initial(first, second, shared),
        *_in_steps(first.key, shared),
        *(parting for pair in paired_losses(a, b) if pair[0].track == first.key for parting in _losses(*pair)),
        *_length(a, b, first, second),
    ]
    for parting in found:
        yield _placed(parting, [step.step for step, _ in shared])


def _placed(parting: Parting, compared: list[int]) -> Parting:
    return replace(parting, after=max((step for step in compared if step < parting.step), default=0))


def _initial(first: TrackRecord, second: TrackRecord, shared: list[tuple[StepRecord, StepRecord]]) -> Iterator[Parting]:
    if first.initial and second.initial and first.initial != second.initial:
        norms = next(_numbers(first.key, shared[:1], "weights", lambda sample: sample.weight), None)
        prints = Parting(first.key, 1, "weights", "", first.initial, second.initial)
        yield norms if norms is not None and norms.step == 1 else prints


def _in_steps(track: str, shared: list[tuple[StepRecord, StepRecord]]) -> Iterator[Parting]:
    for first, second in shared:
        if first.batch is not None and second.batch is not None and first.batch.fingerprint != second.batch.fingerprint:
            yield Parting(track, first.step, "batch", "", first.batch.fingerprint, second.batch.fingerprint)
            break
    # The norms of equal weights may be rounded in other ways: initial weights are compared by their fingerprint.
    yield from _numbers(track, shared[1:], "weights", lambda sample: sample.weight)
    yield from _numbers(track, shared, "gradient", lambda sample: sample.gradient)
    yield from _numbers(track, shared, "update", lambda sample: sample.update)


def _numbers(
    track: str,
    shared: list[tuple[StepRecord, StepRecord]],
    quantity: str,
    read: Callable[[ParameterSample], float | None],
) -> Iterator[Parting]:
    """The first step at which a number differs: the parameter at which it differs most."""
    for first, second in shared:
        apart = _furthest(first.parameters, second.parameters, read)
        if apart is not None:
            yield Parting(track, first.step, quantity, *apart)
            return


def _furthest(
    first: Mapping[str, ParameterSample], second: Mapping[str, ParameterSample], read: Callable[[ParameterSample], float | None]
) -> tuple[str, float, float, float] | None:
    """The parameter with the largest relative difference, both numbers, and the difference."""
    found = []
    for name in first.keys() & second.keys():
        one, other = read(first[name]), read(second[name])
        if one is not None and other is not None and distance(one, other):
            found.append((name, one, other, distance(one, other)))
    return max(found, key=lambda entry: (entry[3], entry[0]), default=None)


def _losses(first: LossRecord, second: LossRecord) -> Iterator[Parting]:
    other = dict(zip(second.steps, second.values, strict=True))
    for step, value in zip(first.steps, first.values, strict=True):
        if step in other and distance(value, other[step]):
            yield Parting(first.track, step, "loss", first.key, value, other[step], distance(value, other[step]))
            return


def _faults(a: RunRecord, b: RunRecord) -> Iterator[Parting]:
    """The first number that is not finite in one run, and not the same in the other."""
    first, second = (next(iter(run.faults), None) for run in (a, b))
    earlier = min((fault for fault in (first, second) if fault is not None), key=lambda fault: fault.step, default=None)
    if earlier is None or _fault_text(first) == _fault_text(second):
        return
    yield Parting(earlier.track, earlier.step, "fault", earlier.subject, _fault_text(first), _fault_text(second))


def _fault_text(fault: NumericFault | None) -> str:
    return f"{fault.value} in {fault.subject or fault.where} at step {fault.step}" if fault is not None else "none"


def _missing_tracks(a: RunRecord, b: RunRecord) -> Iterator[Parting]:
    """Optimizers that only one of the runs has."""
    for first, second in zip_longest(a.tracks, b.tracks):
        known = first or second
        if first is None or second is None:
            steps = [f"{track.steps if track is not None else 0} steps" for track in (first, second)]
            yield Parting(known.key, 1, "length", "", steps[0], steps[1])


def _length(a: RunRecord, b: RunRecord, first: TrackRecord, second: TrackRecord) -> Iterator[Parting]:
    """A run that ends by itself before the other does."""
    if first.steps == second.steps:
        return
    ended = a.ended if first.steps < second.steps else b.ended
    if ended not in _CUT_SHORT:
        shorter = min(first.steps, second.steps)
        yield Parting(first.key, shorter + 1, "length", "", f"{first.steps} steps", f"{second.steps} steps")
