"""The profile as inline SVG: the metric over the number of deployed operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from dllint.bisection.result import Bisection
from dllint.bisection.steps import Step

_WIDTH, _HEIGHT, _LEFT, _MARGIN = 900, 260, 64, 24


def profile_plot(found: Bisection, steps: Sequence[Step]) -> str:
    """The evaluated cuts as points joined by lines; what a culprit costs is shaded."""
    if not found.cuts:
        return ""
    scale = _Scale(found, len(steps))
    body = [*_axes(scale), *_culprits(found, steps, scale), *_points(found, steps, scale)]
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="metric by cut">{"".join(body)}</svg>'


class _Scale:
    """From cuts and metrics to pixels."""

    def __init__(self, found: Bisection, steps: int) -> None:
        values = [cut.value for cut in found.cuts] + [found.reference_metric, found.candidate_metric]
        self.low, self.high, self.steps = min(values), max(values), max(1, steps)
        self._spread = (self.high - self.low) or 1.0

    def x(self, cut: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _MARGIN) * cut / self.steps, 1)

    def y(self, value: float) -> float:
        return round(_MARGIN + (_HEIGHT - 2.5 * _MARGIN) * (self.high - value) / self._spread, 1)


def _axes(scale: _Scale) -> Iterator[str]:
    for value in {scale.low: None, scale.high: None}:
        y = scale.y(value)
        yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _MARGIN}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{value:.4g}</text>'
    for cut, anchor, told in ((0, "start", "all of the reference"), (scale.steps, "end", "all of the candidate")):
        yield f'<text x="{scale.x(cut)}" y="{_HEIGHT - 8}" text-anchor="{anchor}">{told}</text>'


def _culprits(found: Bisection, steps: Sequence[Step], scale: _Scale) -> Iterator[str]:
    for culprit in found.culprits:
        first, last = steps.index(culprit.steps[0]), steps.index(culprit.steps[-1]) + 1
        width = max(4.0, scale.x(last) - scale.x(first))
        name = escape(culprit.steps[-1].name)
        yield f'<rect class="culprit" x="{scale.x(first)}" y="{_MARGIN / 2}" width="{width}" height="{_HEIGHT - 2 * _MARGIN}">'
        yield f"<title>{name}</title></rect>"


def _points(found: Bisection, steps: Sequence[Step], scale: _Scale) -> Iterator[str]:
    cuts = sorted(found.cuts, key=lambda cut: cut.steps)
    line = " ".join(f"{scale.x(cut.steps)},{scale.y(cut.value)}" for cut in cuts)
    yield f'<polyline class="profile" points="{line}"/>'
    for cut in cuts:
        last = steps[cut.steps - 1].name if cut.steps else "nothing"
        yield f'<circle cx="{scale.x(cut.steps)}" cy="{scale.y(cut.value)}" r="4">'
        yield f"<title>{cut.value:.4g} with everything up to {escape(last)} deployed</title></circle>"
