"""The part of a process's record that the first process needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dllint.diagnose.records import ParameterSample, RunRecord, StepRecord

#: Steps whose weights are reported one by one: these, and the last ones.
_EARLY: Final = (1, 2, 5, 10, 20)
_LATE: Final = 8


def excerpt(run: RunRecord) -> RunRecord:
    """A record without what is the same in all processes, or of interest for one only."""
    late = {id(step) for step in run.steps[-_LATE:]}
    sharded = {parameter.name for parameter in run.parameters if parameter.sharded}

    def shortened(step: StepRecord) -> StepRecord:
        weights = step.step in _EARLY or id(step) in late
        return replace(step, layers={}, groups=(), parameters=_of(step.parameters, None if weights else sharded))

    steps = tuple(shortened(step) for step in run.steps)
    return replace(run, steps=steps, layers=(), metrics=(), notes=(), reproducibility=None)


def _of(samples: Mapping[str, ParameterSample], names: set[str] | None) -> Mapping[str, ParameterSample]:
    return samples if names is None else {name: sample for name, sample in samples.items() if name in names}
