"""All kinds of faults."""

from __future__ import annotations

from benchmarks.training_slips.kinds import gradients, graphs, keras_training, modes, parameters, schedules
from benchmarks.training_slips.kinds.kind import KINDS, Kind

_MODULES = (gradients, modes, schedules, parameters, graphs, keras_training)


def kinds() -> tuple[Kind, ...]:
    """The kinds, in the order of their modules."""
    return tuple(sorted(KINDS, key=lambda kind: [module.__name__ for module in _MODULES].index(kind.sites.__module__)))
