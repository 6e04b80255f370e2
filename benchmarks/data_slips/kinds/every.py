"""All kinds of faults."""

from __future__ import annotations

from benchmarks.data_slips.kinds import keras_data, keras_losses, torch_data, torch_losses
from benchmarks.data_slips.kinds.register import kind
from benchmarks.training_slips.kinds.kind import Kind

MODULES = (torch_losses, torch_data, keras_losses, keras_data)


def kinds() -> tuple[Kind, ...]:
    """The kinds, in the order of their modules."""
    names = [module.__name__ for module in MODULES]
    return tuple(sorted(kind.kinds, key=lambda one: names.index(one.sites.__module__)))
