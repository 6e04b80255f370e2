"""Charts of time series: losses, metrics, gradients and updates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.layer_courses import gradient_norm, update_ratio
from dllint.diagnose.page.view import View
from dllint.diagnose.records import RunRecord, StepRecord
from dllint.page.chart import Event, Line, line_chart
from dllint.page.markup import Markup, element
from dllint.page.thinning import Point

_TONES: Final = 6
_HELD_BACK: Final = "val_"


def curves(diagnosis: Diagnosis, view: View) -> Markup:
    """All charts that there is something to show in."""
    charts = [chart for chart in _charts(diagnosis.run, view, list(dict.fromkeys(_events(diagnosis)))) if chart]
    return element("div", *charts, class_="charts") if charts else Markup("")


def _events(diagnosis: Diagnosis) -> Iterator[Event]:
    """Where findings were certain; the end of the run needs no mark."""
    end = max((step.step for step in diagnosis.run.steps), default=0)
    for finding in diagnosis.findings:
        seen = finding.observation
        if seen is not None and seen.step is not None and (seen.step < end or diagnosis.run.ended == "certain"):
            yield Event(seen.step, seen.symptom)


def _charts(run: RunRecord, view: View, events: Sequence[Event]) -> Iterator[Markup]:
    yield line_chart("Loss", _losses(run, view), events)
    for name, lines in _metrics(run).items():
        yield line_chart(name.capitalize(), lines, events)
    yield line_chart("Gradient norm", _per_track(run, lambda step: gradient_norm(step.parameters.values())), events)
    yield line_chart(
        "Update : weight", _per_track(run, lambda step: update_ratio(step.parameters.values())), events, reference=1e-3
    )
    rates = _per_track(run, _rate)
    if any(len({value for _, value in line.points}) > 1 for line in rates):
        yield line_chart("Learning rate", rates, events)


def _losses(run: RunRecord, view: View) -> list[Line]:
    names = ["training"] if len(run.losses) == 1 else [view.place(loss.place) or loss.key for loss in run.losses]
    lines = [
        Line(name, list(zip(loss.steps, loss.values, strict=True)), number % _TONES)
        for number, (name, loss) in enumerate(zip(names, run.losses, strict=True))
    ]
    held = [metric for metric in run.metrics if metric.name == f"{_HELD_BACK}loss"]
    return [*lines, *(Line("validation", list(zip(m.steps, m.values, strict=True)), len(lines) % _TONES) for m in held)]


def _metrics(run: RunRecord) -> dict[str, list[Line]]:
    """The lines of each measure of success; validation beside training. Losses are in the chart of losses."""
    charts: dict[str, list[Line]] = {}
    for metric in run.metrics:
        name = metric.name.removeprefix(_HELD_BACK)
        if name == "loss":
            continue
        is_held = metric.name != name
        points = list(zip(metric.steps, metric.values, strict=True))
        charts.setdefault(name, []).append(Line("validation" if is_held else "training", points, int(is_held)))
    return charts


def _per_track(run: RunRecord, measure: Callable[[StepRecord], float | None]) -> list[Line]:
    lines = []
    for number, track in enumerate(run.tracks):
        own = ((step.step, measure(step)) for step in run.steps if step.track == track.key)
        points: list[Point] = [(step, value) for step, value in own if value is not None]
        lines.append(Line(track.key, points, number % _TONES))
    return lines


def _rate(step: StepRecord) -> float | None:
    rate = step.groups[0].get("lr", step.groups[0].get("learning_rate")) if step.groups else None
    return float(rate) if isinstance(rate, int | float) else None
