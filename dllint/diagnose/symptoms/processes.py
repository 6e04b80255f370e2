"""DLX105, DLX112: what only shows when the processes of a run are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import RankRecord, RunRecord, StepRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_STEPS: Final = Threshold(5, "own: steps at which two processes are compared")
_APART: Final = Threshold(1e-4, "own: relative difference of norms; rounding on different devices gives less")
_SHARE: Final = Threshold(0.9, "own: experts and other weights that differ by design are a part of a model")
_BATCHES: Final = Threshold(10, "own: batches that two processes have seen at the same steps")


class ApartWeights(SymptomCheck):
    """The processes of a group train the same model, but nearly all of its weights differ at every step that was compared: what
    each process learns is lost to the others. Silent on weights that are meant to differ (shards, stages, experts), and on
    weights that are averaged from time to time: one step at which they agree suffices."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "processes not synchronised"
    severity = Severity.ERROR

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run, about the first pair."""
        sharded = {parameter.name for parameter in run.parameters if parameter.sharded}
        for first, second in combinations(run.ranks if run.grouped and not sharded else (), 2):
            compared = [share for mine, other in _common(first, second) if (share := _differing(mine, other)) is not None]
            if len(compared) >= _STEPS.value and min(compared) >= _SHARE.value:
                yield self.found(
                    f"The weights of rank {first.rank} and rank {second.rank} differ at every one of {len(compared)} steps "
                    "that were compared: the processes train apart",
                    _model_place(run),
                    step=max(first.last.values()),
                    ranks=[first.rank, second.rank],
                    compared=len(compared),
                )
                return


class SameData(SymptomCheck):
    """Two processes of a group are given the same batch at every step: together they do the work of one. Silent on models that
    are split between processes, whose parts need the same data, and on runs that repeat one batch."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "same data in all processes"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run, about the first pair."""
        for first, second in combinations(run.ranks if run.grouped and not _shares_layers(run) else (), 2):
            pairs = [(a.batch, b.batch) for a, b in _common(first, second) if a.batch is not None and b.batch is not None]
            prints = [mine.fingerprint for mine, other in pairs if mine.fingerprint == other.fingerprint]
            if len(pairs) < _BATCHES.value or len(prints) < len(pairs) or len(set(prints)) == 1 or _is_split(first, second):
                continue
            loader = pairs[-1][0].place
            yield self.found(
                f"Rank {first.rank} and rank {second.rank} had the same batch at all {len(pairs)} steps that were compared",
                loader or _model_place(run),
                step=max(first.last.values()),
                ranks=[first.rank, second.rank],
                compared=len(pairs),
            )
            return


def _common(first: RankRecord, second: RankRecord) -> Iterator[tuple[StepRecord, StepRecord]]:
    """The steps that two processes have sampled, with each one's record."""
    others = {(step.track, step.step): step for step in second.steps}
    for step in first.steps:
        other = others.get((step.track, step.step))
        if other is not None:
            yield step, other


def _differing(mine: StepRecord, other: StepRecord) -> float | None:
    """The share of the weights with different norms; ``None`` if they were not told, or are not of the same model."""
    if not mine.parameters or mine.parameters.keys() != other.parameters.keys():
        return None
    norms = [(sample.weight, other.parameters[name].weight) for name, sample in mine.parameters.items()]
    return sum(abs(a - b) > _APART.value * max(a, b) for a, b in norms) / len(norms)


def _is_split(first: RankRecord, second: RankRecord) -> bool:
    """Whether the processes hold different parts of a model."""
    return _names(first) != _names(second)


def _shares_layers(run: RunRecord) -> bool:
    """Whether processes compute parts of the same layer (tensor parallelism), which needs the same data in all of them."""
    most = max((parameter.sharded for parameter in run.parameters), default=0)
    return most > 1 or (most == 1 and not any(layer.kind.startswith("FSDP") for layer in run.layers))


def _names(record: RankRecord) -> set[str]:
    return {name for step in record.steps for name in step.parameters}


def _model_place(run: RunRecord) -> SourcePlace | None:
    """The place that builds the model, as far as it is known."""
    roots: Mapping[str, SourcePlace | None] = {layer.model: layer.place for layer in run.layers if layer.name == layer.model}
    return next((place for place in roots.values() if place is not None), run.tracks[0].optimizer.place if run.tracks else None)
