"""The profile as inline SVG: the metric over the number of deployed operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dllint.bisection.result import Bisection
from dllint.bisection.steps import Step
from dllint.page.markup import Markup, element
from dllint.page.numbers import shown
from dllint.page.scale import Scale, fitted

_WIDTH, _HEIGHT, _LEFT, _MARGIN = 900, 260, 64, 24


def profile_plot(found: Bisection, steps: Sequence[Step]) -> Markup:
    """The evaluated cuts as points joined by lines; what a culprit costs is shaded."""
    if not found.cuts:
        return Markup("")
    x = Scale(0, max(1, len(steps)), _LEFT, _WIDTH - _MARGIN)
    values = [*(cut.value for cut in found.cuts), found.reference_metric, found.candidate_metric]
    y = fitted(values, _HEIGHT - 1.5 * _MARGIN, _MARGIN)
    body = [*_axes(x, y), *_culprits(found, steps, x), *_points(found, steps, x, y)]
    return element("svg", *body, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_label="metric by cut")


def _axes(x: Scale, y: Scale) -> Iterator[Markup]:
    for value in y.ticks(5):
        at = y.at(value)
        yield element("line", x1=x.begin, x2=x.end, y1=at, y2=at, class_="grid")
        yield element("text", shown(value, 4), x=_LEFT - 8, y=at + 4, text_anchor="end")
    for cut, anchor, label in ((x.low, "start", "all of the reference"), (x.high, "end", "all of the candidate")):
        yield element("text", label, x=x.at(cut), y=_HEIGHT - 8, text_anchor=anchor)


def _culprits(found: Bisection, steps: Sequence[Step], x: Scale) -> Iterator[Markup]:
    for culprit in found.culprits:
        first, last = x.at(steps.index(culprit.steps[0])), x.at(steps.index(culprit.steps[-1]) + 1)
        tip = element("title", culprit.steps[-1].name)
        size = {"width": max(4.0, last - first), "height": _HEIGHT - 2 * _MARGIN}
        yield element("rect", tip, class_="culprit", x=first, y=_MARGIN / 2, **size)


def _points(found: Bisection, steps: Sequence[Step], x: Scale, y: Scale) -> Iterator[Markup]:
    cuts = sorted(found.cuts, key=lambda cut: cut.steps)
    line = " ".join(f"{x.at(cut.steps):.1f},{y.at(cut.value):.1f}" for cut in cuts)
    yield element("polyline", class_="profile line tone0", points=line)
    for cut in cuts:
        last = steps[cut.steps - 1].name if cut.steps else "nothing"
        tip = element("title", f"{cut.value:.4g} with everything up to {last} deployed")
        yield element("circle", tip, cx=x.at(cut.steps), cy=y.at(cut.value), r=4, class_="dot tone0")
