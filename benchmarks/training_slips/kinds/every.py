"""All kinds of faults."""

from __future__ import annotations

from benchmarks.training_slips.kinds import gradients, graphs, keras_training, modes, parameters, schedules
from benchmarks.training_slips.kinds.kind import Kind, kind

_MODULES = (gradients, modes, schedules, parameters, graphs, keras_training)


def kinds() -> tuple[Kind, ...]:
    """The kinds, in the order of their modules."""
    return tuple(sorted(kind.kinds, key=lambda one: [module.__name__ for module in _MODULES].index(one.sites.__module__)))
