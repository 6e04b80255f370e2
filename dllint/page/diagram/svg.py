"""A diagram as SVG: one file that fetches nothing and executes nothing, whatever the names in it; its texts can be selected.

To those who do not see it, it is a tree: each box is an item with a name that tells what it is, what reaches it and what is
wrong in it. Boxes bear their key and line (``data-key``, ``data-line``) for who makes them answer clicks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.page.diagram.boxes import Box, Diagram
from dllint.page.diagram.layout import LINE, PADDING, Placed, Way, layout
from dllint.page.markup import Markup, element, joined

#: The style of diagrams; colours are those of the variables, where a page sets them.
STYLE: Final = """\
.diagram { font: 12px system-ui, "DejaVu Sans", sans-serif; color: var(--dllint-text, #1f2328);
  background: var(--dllint-page, #fff); }
.diagram text { fill: currentColor; user-select: text; }
.diagram .title { font-weight: 600; }
.diagram .more { font-size: 11px; opacity: .85; }
.diagram rect { fill: var(--dllint-box, #f6f8fa); stroke: var(--dllint-line, #8c959f); }
.diagram .holder > rect { fill: var(--dllint-holder, none); }
.diagram .operation > rect { fill: var(--dllint-page, #fff); }
.diagram .end > rect { fill: var(--dllint-end, #ddf4ff); }
.diagram .faint > rect { stroke-dasharray: 4 3; }
.diagram .wrong > rect { stroke: var(--dllint-wrong, #cf222e); stroke-width: 2.5; }
.diagram .wrong > .mark { fill: var(--dllint-wrong, #cf222e); font-weight: 600; }
.diagram .way { fill: none; stroke: var(--dllint-line, #57606a); }
.diagram .back { stroke-dasharray: 5 3; }
.diagram .tip { fill: var(--dllint-line, #57606a); stroke: none; }
.diagram .size { font-size: 10.5px; paint-order: stroke; stroke: var(--dllint-page, #fff); stroke-width: 4px; }
.diagram g:focus { outline: none; }
.diagram g:focus > rect { stroke: var(--dllint-focus, #0969da); stroke-width: 3; }
.diagram .toggle { cursor: pointer; font-weight: 600; }
"""
_DARK: Final = """\
@media (prefers-color-scheme: dark) { .diagram { --dllint-text: #e6edf3; --dllint-page: #0d1117; --dllint-box: #161b22;
 --dllint-line: #7d8590; --dllint-end: #0c2d6b; --dllint-wrong: #f85149; --dllint-focus: #58a6ff; } }
"""
_MARGIN: Final = 12.0
_TIP: Final = 5.0
_BASE: Final = 11.0
_ROUND: Final = 5.0
_BEND: Final = 14.0


def svg(diagram: Diagram, *, is_alone: bool = True) -> Markup:
    """A diagram as an SVG element; ``is_alone``: as a file, with its own style. In a page, its style is :data:`STYLE`, and its
    boxes can be opened, closed and reached by keys."""
    placed = layout(diagram.root)
    placed.x = placed.y = _MARGIN
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN
    return element(
        "svg",
        element("title", diagram.title, id="diagram-title"),
        element("desc", diagram.about, id="diagram-about"),
        Markup(f"<style>{STYLE}{_DARK}</style>") if is_alone else Markup(""),
        _box(placed, 1, is_alone, {}),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=width,
        height=height,
        class_="diagram",
        role="tree",
        aria_labelledby="diagram-title",
        aria_describedby="diagram-about",
    )


def _box(placed: Placed, level: int, is_alone: bool, sources: dict[str, list[str]]) -> Markup:
    box = placed.box
    can_toggle = bool(box.parts or box.hidden) and level > 1
    classes = ["holder" if box.parts else box.kind, *(["faint"] if box.faint else []), *(["wrong"] if box.marks else [])]
    return element(
        "g",
        element("title", "\n".join([_said(box, []), *box.marks])),
        element("rect", width=placed.width, height=placed.height, rx=_ROUND),
        *_texts(placed, can_toggle and not is_alone),
        *(element("g", *map(_way, placed.ways), aria_hidden="true") for _ in placed.ways[:1]),
        *(_box(part, level + 1, is_alone, _sources(placed)) for part in placed.parts),
        *map(_size, placed.ways),
        class_=" ".join(classes),
        transform=f"translate({placed.x:.1f} {placed.y:.1f})",
        role="treeitem",
        aria_level=level,
        aria_expanded=("true" if box.parts else "false") if can_toggle else None,
        aria_label=_said(box, sources.get(box.key, [])),
        tabindex=None if is_alone else (0 if level == 1 else -1),
        data_key=box.key,
        data_line=box.line,
    )


def _said(box: Box, sources: list[str]) -> str:
    """A box in words."""
    wrong = [f"wrong: {mark}" for mark in box.marks]
    parts = [f"{box.hidden} parts, closed"] if box.hidden else []
    return "; ".join([box.title, *box.lines, *parts, *sources, *wrong])


def _sources(holder: Placed) -> dict[str, list[str]]:
    """By box: what reaches it, in words."""
    titles = {part.box.key: part.box.title for part in holder.parts}
    found: dict[str, list[str]] = {}
    for way in holder.ways:
        arrow = way.arrow
        title = titles.get(arrow.source, "")
        if title:
            found.setdefault(arrow.target, []).append(f"takes {arrow.label} from {title}".replace("  ", " "))
    return found


def _texts(placed: Placed, can_toggle: bool) -> Iterator[Markup]:
    box = placed.box
    yield element("text", box.title, class_="title", x=PADDING, y=PADDING + _BASE)
    for number, line in enumerate(box.lines, 1):
        yield element("text", line, class_="more", x=PADDING, y=PADDING + _BASE + number * LINE)
    if box.marks:
        yield element("text", "✖", class_="mark", x=-_BASE / 2, y=_BASE, aria_hidden="true")
    if can_toggle:
        sign = "−" if box.parts else "+"
        yield element(
            "text",
            sign,
            class_="toggle",
            x=placed.width - PADDING - _BASE / 2,
            y=PADDING + _BASE,
            data_toggle="",
            aria_hidden="true",
        )


def _way(way: Way) -> Markup:
    if not way.points:
        return Markup("")
    (x, y), *rest = way.points
    path = [f"M{x:.1f} {y:.1f}"]
    for right, below in rest:
        if way.is_back or abs(right - x) < 0.5:
            path.append(f"L{right:.1f} {below:.1f}")
        else:
            bend = max((below - y) / 2, min(_BEND, below - y))
            path.append(f"C{x:.1f} {y + bend:.1f} {right:.1f} {below - bend:.1f} {right:.1f} {below:.1f}")
        x, y = right, below
    line = element("path", d="".join(path), class_="way back" if way.is_back else "way")
    tip = f"M{x:.1f} {y:.1f}l{-_TIP} {-_TIP * 1.4:.1f}h{2 * _TIP}z"
    if way.is_back:
        tip = f"M{x:.1f} {y:.1f}l{_TIP * 1.4:.1f} {-_TIP}v{2 * _TIP}z"
    return joined([line, element("path", d=tip, class_="tip")])


def _size(way: Way) -> Markup:
    """The label of an arrow."""
    if way.label is None:
        return Markup("")
    return element("text", way.arrow.label, class_="size", x=way.label[0], y=way.label[1])
