"""Two recorded runs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from dllint.diagnose.comparison.conditions import Condition, differing_conditions
from dllint.diagnose.comparison.explanation import explanation, statement
from dllint.diagnose.comparison.parting import Parting, distance, first_parting, paired_losses
from dllint.diagnose.records import LossRecord, RunRecord
from dllint.diagnose.serial import to_json
from dllint.diagnose.symptoms.registry import examine

_SHOWN: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Point:
    """Both losses (or measures) at a step, and their relative difference."""

    step: int
    first: float
    second: float
    distance: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A loss in both runs, at steps that lie further and further apart."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``statement`` says where the runs part, ``explanation`` what probably made them. ``symptoms`` are those that only one of
    them has shown."""

    parting: Parting | None
    statement: str
    explanation: str
    conditions: tuple[Condition, ...]
    curves: tuple[Curve, ...]
    symptoms: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def is_same(self) -> bool:
        """Whether no difference was found in what both runs did."""
        return self.parting is None


def compare(a: RunRecord, b: RunRecord) -> Comparison:
    """Say where two runs part."""
    parting, conditions = first_parting(a, b), differing_conditions(a, b)
    courses = [_curve(*pair) for pair in paired_losses(a, b)]
    return Comparison(
        parting,
        statement(parting, a, b),
        explanation(parting, conditions, a, b),
        conditions,
        tuple(curve for curve in (*courses, *_metrics(a, b)) if curve.points),
        _only_in_one(a, b),
    )


def to_record(comparison: Comparison) -> dict[str, Any]:
    """A comparison as what :mod:`json` can write."""
    record: dict[str, Any] = to_json(comparison)
    return {"same": comparison.is_same, **record}


def _curve(first: LossRecord, second: LossRecord) -> Curve:
    return Curve(first.key, _points(first.steps, first.values, second.steps, second.values))


def _metrics(a: RunRecord, b: RunRecord) -> list[Curve]:
    others = {metric.name: metric for metric in b.metrics}
    return [
        Curve(one.name, _points(one.steps, one.values, others[one.name].steps, others[one.name].values))
        for one in a.metrics
        if one.name in others
    ]


def _points(
    steps: tuple[int, ...], values: tuple[float, ...], other_steps: tuple[int, ...], other_values: tuple[float, ...]
) -> tuple[Point, ...]:
    first, second = dict(zip(steps, values, strict=True)), dict(zip(other_steps, other_values, strict=True))
    shared = sorted(first.keys() & second.keys())
    return tuple(Point(step, first[step], second[step], distance(first[step], second[step])) for step in _shown(shared))


def _shown(steps: list[int]) -> list[int]:
    """The shared steps nearest above 1, 2, 5, 10, 20, 50, and so on, and the last one."""
    chosen: dict[int, None] = {}
    decade = 1
    while steps and decade <= steps[-1]:
        for factor in _SHOWN:
            above = next((step for step in steps if step >= factor * decade), None)
            if above is not None:
                chosen[above] = None
        decade *= 10
    return [*chosen, *(step for step in steps[-1:] if step not in chosen)]


def _only_in_one(a: RunRecord, b: RunRecord) -> tuple[tuple[str, ...], tuple[str, ...]]:
    first, second = ({(s.code, s.symptom, s.layer): s.message for s in examine(run)} for run in (a, b))
    return (
        tuple(f"{key[0]} {text}" for key, text in first.items() if key not in second),
        tuple(f"{key[0]} {text}" for key, text in second.items() if key not in first),
    )
