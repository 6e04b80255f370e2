"""Quantities per layer and sampled step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.records import ParameterSample, RunRecord, StepRecord


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a layer in a step, given the names of the layer's own parameters; ``None`` where it was not measured."""

    name: str
    of: Callable[[StepRecord, str, Sequence[str]], float | None]


def parameters_by_layer(run: RunRecord) -> dict[str, list[str]]:
    """The names of the parameters that each layer owns."""
    parameters: dict[str, list[str]] = {}
    for parameter in run.parameters:
        parameters.setdefault(parameter.layer, []).append(parameter.name)
    return parameters


def update_ratio(samples: Iterable[ParameterSample]) -> float | None:
    """The norm of the updates of some parameters over the norm of their weights; ``None`` where it was not measured."""
    known = [(sample.update, sample.weight) for sample in samples if sample.update is not None]
    weight = norm(weight for _, weight in known)
    return norm(update for update, _ in known) / weight if weight else None


def gradient_norm(samples: Iterable[ParameterSample]) -> float | None:
    """The norm of the gradients of some parameters; ``None`` if there are none."""
    known = [sample.gradient for sample in samples if sample.gradient is not None]
    return norm(known) if known else None


def norm(norms: Iterable[float]) -> float:
    """The Euclidean norm of what has these norms."""
    return math.sqrt(sum(value * value for value in norms))


def _deviation(step: StepRecord, layer: str, _: Sequence[str]) -> float | None:
    sample = step.layers.get(layer)
    return sample.output.std if sample is not None else None


def _lost(step: StepRecord, layer: str, _: Sequence[str]) -> float | None:
    sample = step.layers.get(layer)
    units = sample.units if sample is not None else None
    return max(units.never_positive, units.saturated) / units.units if units is not None and units.units else None


def _gradient(step: StepRecord, _: str, names: Sequence[str]) -> float | None:
    return gradient_norm(step.parameters[name] for name in names if name in step.parameters)


def _ratio(step: StepRecord, _: str, names: Sequence[str]) -> float | None:
    return update_ratio(step.parameters[name] for name in names if name in step.parameters)


DEVIATION: Final = Measure("output_std", _deviation)
LOST_UNITS: Final = Measure("lost_units", _lost)
GRADIENT: Final = Measure("gradient_norm", _gradient)
UPDATE_RATIO: Final = Measure("update_ratio", _ratio)
MEASURES: Final = (DEVIATION, LOST_UNITS, GRADIENT, UPDATE_RATIO)
