"""A comparison for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.comparison.comparison import Comparison, Curve
from dllint.diagnose.text_table import table

_MOST_ROWS: Final = 30
_WIDEST: Final = 48


def lines_of(comparison: Comparison, names: tuple[str, str]) -> Iterator[str]:
    """The report; ``names`` are those of the files."""
    yield f"A: {names[0]}"
    yield f"B: {names[1]}"
    yield f"{comparison.statement}."
    if comparison.explanation:
        yield f"{comparison.explanation[0].upper()}{comparison.explanation[1:]}."
    yield from _conditions(comparison)
    for curve in comparison.curves:
        yield from _curve(curve)
    for name, symptoms in zip("AB", comparison.symptoms, strict=True):
        if symptoms:
            yield ""
            yield f"Symptoms of {name} alone:"
            yield from (f"  {text}" for text in symptoms)


def _conditions(comparison: Comparison) -> Iterator[str]:
    conditions = comparison.conditions
    yield ""
    if not conditions:
        yield "Commands, seeds, versions, hardware, settings, sources and models are the same."
        return
    yield "What differs:"
    rows = [
        (condition.kind, condition.subject, _cut(condition.first), _cut(condition.second))
        for condition in conditions[:_MOST_ROWS]
    ]
    yield from table([("", "", "A", "B"), *rows], "<<<<")
    if len(conditions) > _MOST_ROWS:
        yield f"  and {len(conditions) - _MOST_ROWS} more (--output-format json has them all)"


def _curve(curve: Curve) -> Iterator[str]:
    yield ""
    rows = [
        (str(point.step), f"{point.first:.7g}", f"{point.second:.7g}", f"{point.distance:.1g}" if point.distance else "0")
        for point in curve.points
    ]
    yield from table([(curve.name, "A", "B", "difference"), *rows], ">>>>")


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
