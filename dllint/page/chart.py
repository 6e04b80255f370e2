"""Line charts as SVG."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

from dllint.page.markup import Markup, element
from dllint.page.numbers import shown
from dllint.page.scale import Scale, fitted
from dllint.page.thinning import Point, evenly, smoothed, thinned

_WIDTH: Final = 520.0
_HEIGHT: Final = 230.0
_LEFT: Final = 56.0
_RIGHT: Final = 14.0
_TOP: Final = 14.0
_BOTTOM: Final = 34.0
_MOST_POINTS: Final = 600
#: Courses with more points are drawn faintly, with their average on top.
_NOISY: Final = 60
_COLUMNS: Final = 60


@dataclass(frozen=True, slots=True)
class Line:
    """A course: points of step and value; ``tone`` is the number of its colour."""

    name: str
    points: Sequence[Point]
    tone: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """A step that a chart marks, and why."""

    step: float
    text: str


def line_chart(title: str, lines: Sequence[Line], events: Sequence[Event] = (), reference: float | None = None) -> Markup:
    """A figure with its title and legend; ``reference`` is a value to compare with. Values that are not finite leave a gap and
    are marked at the upper edge. What a pointer is over is told by the numbers of the nearest step."""
    drawn = [line for line in lines if line.points]
    if not drawn:
        return Markup("")
    values = [value for line in drawn for _, value in line.points]
    x = fitted_steps([step for line in drawn for step, _ in line.points])
    y = fitted([*values, *([reference] if reference is not None else [])], _HEIGHT - _BOTTOM, _TOP)
    inside = sorted((event for event in events if x.low <= event.step <= x.high), key=lambda event: event.step)
    body = [*_axes(x, y), *_reference(reference, y), *_events(inside, x)]
    for line in drawn:
        body += _course(line, x, y)
    svg = element(
        "svg",
        *body,
        *_hover(drawn, x),
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        role="img",
        aria_label=f"{title}: {'; '.join(map(_summary, drawn))}",
        class_="chart",
    )
    scale = " (logarithmic)" if y.is_log else ""
    return element("figure", element("figcaption", element("b", title), scale, *_legend(drawn, inside)), svg)


def fitted_steps(steps: Sequence[float]) -> Scale:
    """The scale of the steps of a chart."""
    low, high = min(steps), max(steps)
    return Scale(low, high if high > low else low + 1, _LEFT, _WIDTH - _RIGHT)


def _summary(line: Line) -> str:
    (first, begin), (last, end) = line.points[0], line.points[-1]
    if len(line.points) == 1:
        return f"{line.name} {shown(begin)} at step {first:.0f}"
    return f"{line.name} from {shown(begin)} at step {first:.0f} to {shown(end)} at step {last:.0f}"


def _legend(lines: Sequence[Line], events: Sequence[Event]) -> Iterator[Markup]:
    if len(lines) > 1 or len(lines[0].points) > _NOISY:
        for line in lines:
            yield element("span", line.name, class_=f"key tone{line.tone}")
    if events:
        more = f" and {len(events) - 1} more" if len(events) > 1 else ""
        yield element("span", f"step {events[0].step:.0f}: {events[0].text}{more}", class_="key alarm")


def _axes(x: Scale, y: Scale) -> Iterator[Markup]:
    for value in y.ticks(5):
        at = y.at(value)
        yield element("line", x1=x.begin, x2=x.end, y1=at, y2=at, class_="grid")
        yield element("text", shown(value), x=_LEFT - 7, y=at + 4, text_anchor="end")
    for value in x.ticks(6):
        if value == int(value):
            anchor = "middle" if x.end - x.at(value) > _LEFT / 2 else "end"
            yield element("text", shown(value), x=x.at(value), y=_HEIGHT - _BOTTOM + 17, text_anchor=anchor)
    yield element("line", x1=x.begin, x2=x.end, y1=y.begin, y2=y.begin, class_="axis")
    yield element("text", "step", x=x.end, y=_HEIGHT - 3, text_anchor="end", class_="unit")


def _reference(value: float | None, y: Scale) -> Iterator[Markup]:
    if value is not None:
        yield element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y.at(value), y2=y.at(value), class_="reference")


def _events(events: Sequence[Event], x: Scale) -> Iterator[Markup]:
    for event in events:
        at = x.at(event.step)
        tip = element("title", f"step {event.step:.0f}: {event.text}")
        yield element("line", tip, x1=at, x2=at, y1=_TOP, y2=_HEIGHT - _BOTTOM, class_="event")


def _course(line: Line, x: Scale, y: Scale) -> Iterator[Markup]:
    points = thinned(line.points, _MOST_POINTS)
    is_noisy = len(line.points) > _NOISY
    yield from _path(points, x, y, f"line tone{line.tone}{' raw' if is_noisy else ''}")
    if is_noisy:
        average = smoothed(line.points, max(len(line.points) // 30, 5))
        yield from _path(thinned(average, _MOST_POINTS // 2), x, y, f"line tone{line.tone}")
    for step, value in points:
        if not math.isfinite(value):
            tip = element("title", f"step {step:.0f}: {line.name} is {value}")
            yield element("path", tip, d=f"M{x.at(step) - 4:.1f} {_TOP - 4:.1f}l8 8m0-8l-8 8", class_="bad")


def _path(points: Sequence[Point], x: Scale, y: Scale, class_: str) -> Iterator[Markup]:
    for run in _runs(points):
        if len(run) == 1:
            yield element("circle", cx=x.at(run[0][0]), cy=y.at(run[0][1]), r=3, class_=f"{class_} dot")
            continue
        places = " ".join(f"{x.at(step):.1f},{y.at(value):.1f}" for step, value in run)
        yield element("polyline", points=places, class_=class_)


def _runs(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Stretches of finite values."""
    run: list[Point] = []
    for point in points:
        if math.isfinite(point[1]):
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _hover(lines: Sequence[Line], x: Scale) -> Iterator[Markup]:
    """Columns that light up under a pointer and tell their numbers."""
    longest = max(lines, key=lambda line: len(line.points)).points
    chosen = [longest[number][0] for number in evenly(len(longest), _COLUMNS)]
    edges = [x.begin, *((x.at(a) + x.at(b)) / 2 for a, b in pairwise(chosen)), x.end]
    for step, left, right in zip(chosen, edges[:-1], edges[1:], strict=True):
        readings = [f"{line.name}: {shown(_nearest(line.points, step), 4)}" for line in lines]
        tip = element("title", "\n".join([f"step {step:.0f}", *readings]))
        height = _HEIGHT - _TOP - _BOTTOM
        yield element("rect", tip, x=left, y=_TOP, width=max(right - left, 1.0), height=height, class_="hover")


def _nearest(points: Sequence[Point], step: float) -> float:
    after = min(bisect_left(points, step, key=itemgetter(0)), len(points) - 1)
    return min(points[max(after - 1, 0) : after + 1], key=lambda point: abs(point[0] - step))[1]
