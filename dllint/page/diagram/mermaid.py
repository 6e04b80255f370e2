"""A diagram in the language of Mermaid (``flowchart``), for Markdown pages that draw it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.page.diagram.boxes import ENTRY, EXIT, Box, Diagram

#: Characters that stand in labels as they are; others are written as their number, so that no name is read as syntax.
_PLAIN: Final = frozenset(" ,.:=_-+×·…()[]/")


def mermaid(diagram: Diagram) -> Iterator[str]:
    """The lines of a diagram."""
    yield "flowchart TB"
    yield f"    accTitle: {_one_line(diagram.title)}"
    yield f"    accDescr: {_one_line(diagram.about)}"
    names = {box.key: f"n{number}" for number, box in enumerate(diagram.root.walk())}
    yield from _box(diagram.root, names, 1)
    yield from _arrows(diagram.root, names)
    yield "    classDef wrong stroke:#cf222e,stroke-width:3px"
    yield "    classDef faint stroke-dasharray:4 3"


def _box(box: Box, names: Mapping[str, str], level: int) -> Iterator[str]:
    indent, name = "    " * level, names[box.key]
    more = [f"{box.hidden} parts"] if box.hidden else []
    text = "<br/>".join(map(escaped, [box.title, *box.lines, *more, *(f"wrong: {mark}" for mark in box.marks)]))
    if box.parts:
        yield f'{indent}subgraph {name}["{text}"]'
        for part in box.parts:
            yield from _box(part, names, level + 1)
        yield f"{indent}end"
    else:
        left, right = ("([", "])") if box.kind != "module" else ("[", "]")
        yield f'{indent}{name}{left}"{text}"{right}'
    if box.marks or box.faint:
        yield f"{indent}class {name} {'wrong' if box.marks else 'faint'}"


def _arrows(box: Box, names: Mapping[str, str]) -> Iterator[str]:
    """Arrows from where a tensor comes to where it goes, through the borders of the boxes around."""
    parts = {part.key: part for part in box.parts}
    for arrow in box.arrows:
        if arrow.source == ENTRY or arrow.target == EXIT:
            continue
        label = f'|"{escaped(arrow.label)}"|' if arrow.label else ""
        for source in _inside(parts[arrow.source], names, is_source=True):
            for target in _inside(parts[arrow.target], names, is_source=False):
                yield f"    {source} -->{label} {target}"
    for part in box.parts:
        yield from _arrows(part, names)


def _inside(box: Box, names: Mapping[str, str], *, is_source: bool) -> list[str]:
    """The boxes in a box from which an arrow leaves it, or to which one goes that enters it."""
    parts = {part.key: part for part in box.parts}
    if is_source:
        ends = dict.fromkeys(arrow.source for arrow in box.arrows if arrow.target == EXIT)
    else:
        ends = dict.fromkeys(arrow.target for arrow in box.arrows if arrow.source == ENTRY)
    found = [name for end in ends if end in parts for name in _inside(parts[end], names, is_source=is_source)]
    return found or [names[box.key]]


def escaped(text: str) -> str:
    """A text in a quoted label: nothing in it is syntax of Mermaid, HTML or Markdown."""
    return "".join(c if c in _PLAIN or (c.isascii() and c.isalnum()) else f"#{ord(c)};" for c in text)


def _one_line(text: str) -> str:
    """A text behind a colon, up to the end of its line."""
    return "".join(c if c in _PLAIN or c.isalnum() else " " for c in text)
