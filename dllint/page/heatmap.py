"""Heat maps side by side over common rows, as SVG that stays small: cells of one level are one path."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.page.markup import Markup, element
from dllint.page.numbers import shown

LEVELS: Final = 9
_LABELS: Final = 300.0
_PANEL: Final = 190.0
_GAP: Final = 14.0
_ROW: Final = 15.0
_HEAD: Final = 50.0


@dataclass(frozen=True, slots=True)
class Ramp:
    """How values become levels: from ``low`` to ``high``, by the logarithm if ``is_log``. ``palette`` is ``two-sided`` (too
    small is as bad as too large) or ``one-sided``."""

    low: float
    high: float
    palette: str
    is_log: bool = True

    def level(self, value: float) -> int | None:
        """The level of a value, ``None`` if it is not finite."""
        if not math.isfinite(value):
            return None
        low, high = self._of(self.low), self._of(self.high)
        share = (self._of(max(value, self.low)) - low) / ((high - low) or 1.0)
        return min(max(int(share * LEVELS), 0), LEVELS - 1)

    def _of(self, value: float) -> float:
        return math.log10(value) if self.is_log else value


@dataclass(frozen=True, slots=True)
class Row:
    """A label with a detail, both short, what they are in full, and the address that they lead to."""

    label: str
    detail: str
    full: str
    link: str | None = None
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One map: ``cells`` has a sequence for each row, ``None`` where nothing is known."""

    title: str
    ramp: Ramp
    cells: Sequence[Sequence[float | None]]


def heat_maps(label: str, rows: Sequence[Row], panels: Sequence[Panel], steps: Sequence[int]) -> Markup:
    """The heads of the panels, and below them, in a box that scrolls, the rows; columns are ``steps``."""
    width = _LABELS + len(panels) * (_PANEL + _GAP)
    height = len(rows) * _ROW + 2
    head = element(
        "svg",
        *(part for number, panel in enumerate(panels) for part in _head(panel, _left(number), number, steps)),
        viewBox=f"0 0 {width:.0f} {_HEAD:.0f}",
        aria_hidden="true",
        class_="heat",
        style=f"min-width:{width * 0.8:.0f}px",
    )
    body = element(
        "svg",
        *_labels(rows),
        *(part for number, panel in enumerate(panels) for part in _panel(panel, rows, _left(number))),
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="group",
        aria_label=label,
        class_="heat",
        style=f"min-width:{width * 0.8:.0f}px",
    )
    return element("div", head, element("div", body, class_="rows"), class_="maps")


def _left(number: int) -> float:
    return _LABELS + number * (_PANEL + _GAP)


def _head(panel: Panel, left: float, number: int, steps: Sequence[int]) -> Iterator[Markup]:
    yield element("text", panel.title, x=left, y=13, class_="title")
    box = _PANEL / 2 / LEVELS
    for level in range(LEVELS):
        yield element("rect", x=left + 30 + level * box, y=20, width=box, height=8, class_=f"{panel.ramp.palette} h{level}")
    yield element("text", shown(panel.ramp.low), x=left + 26, y=28, text_anchor="end", class_="tick")
    yield element("text", shown(panel.ramp.high), x=left + 34 + _PANEL / 2, y=28, class_="tick")
    yield element("text", f"step {shown(steps[0])}", x=left, y=_HEAD - 4, class_="tick")
    yield element("text", shown(steps[-1]), x=left + _PANEL, y=_HEAD - 4, text_anchor="end", class_="tick")


def _labels(rows: Sequence[Row]) -> Iterator[Markup]:
    for number, row in enumerate(rows):
        y = number * _ROW + _ROW - 4
        shape = "mark" if row.is_marked else "label"
        name = element("text", _fitting(row.label, 30), x=2, y=y, class_=shape)
        place = element("text", _fitting(row.detail, 19), x=_LABELS - 8, y=y, text_anchor="end", class_="tick")
        text = [element("title", row.full), name, place]
        yield element("a", *text, href=row.link) if row.link else element("g", *text)


def _fitting(text: str, most: int) -> str:
    """The end of a text, which tells more of a layer's name than its beginning."""
    return text if len(text) <= most else f"…{text[1 - most :]}"


def _panel(panel: Panel, rows: Sequence[Row], left: float) -> Iterator[Markup]:
    width = _PANEL / max((len(cells) for cells in panel.cells), default=1)
    paths: dict[str, list[str]] = {}
    for number, cells in enumerate(panel.cells):
        y = number * _ROW + 1
        for shade, first, count in _runs([_shade(panel.ramp, cell) for cell in cells]):
            box = f"M{left + first * width:.1f} {y:.0f}h{count * width:.1f}v{_ROW - 2:.0f}h{-count * width:.1f}z"
            paths.setdefault(shade, []).append(box)
    yield element("rect", x=left, y=0, width=_PANEL, height=len(panel.cells) * _ROW + 1, class_="empty")
    for shade, boxes in sorted(paths.items()):
        yield element("path", d="".join(boxes), class_=shade)
    for number, (row, cells) in enumerate(zip(rows, panel.cells, strict=True)):
        tip = element("title", _formatted(row, panel, cells))
        yield element("rect", tip, x=left, y=number * _ROW, width=_PANEL, height=_ROW, class_="hover")


def _shade(ramp: Ramp, value: float | None) -> str:
    if value is None:
        return ""
    level = ramp.level(value)
    return "nonfinite" if level is None else f"{ramp.palette} h{level}"


def _runs(shades: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Neighbouring cells of one shade: the shade, the first one's number, and how many there are."""
    first = 0
    for number in range(1, len(shades) + 1):
        if number == len(shades) or shades[number] != shades[first]:
            if shades[first]:
                yield shades[first], first, number - first
            first = number


def _formatted(row: Row, panel: Panel, cells: Sequence[float | None]) -> str:
    known = [cell for cell in cells if cell is not None]
    if not known:
        return f"{row.full}\n{panel.title}: not known"
    low, high = shown(min(known)), shown(max(known))
    return f"{row.full}\n{panel.title}: first {shown(known[0])}, last {shown(known[-1])}, from {low} to {high}"
