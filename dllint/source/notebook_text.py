"""Writing cells back into the text of a notebook: what is not the source of a changed cell stays as it is, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]', re.DOTALL)
_BLANKS: Final = re.compile(r"\s*")
_CELLS: Final = "cells"


@dataclass(slots=True)
class _Container:
    """A list or an object that is being read: the key of an object that was read last, and the key it stands under itself."""

    is_list: bool
    name: str
    number: int = 0
    key: str = ""
    start: int = 0


def with_sources(text: str, key: str, sources: Mapping[int, str]) -> str:
    """The text of a notebook with other sources of some cells, by their 1-based number; ``key`` is what sources stand under."""
    out, at = [], 0
    places = {number: (start, end) for number, start, end in _places(text, key)}  # of what is said twice the last one holds
    for number, (start, end) in places.items():
        if number in sources:
            out += [text[at:start], _written(sources[number], text[start:end])]
            at = end
    return "".join((*out, text[at:]))


def _places(text: str, key: str) -> Iterator[tuple[int, int, int]]:
    """The number of each cell, and where the value of its source begins and ends."""
    inside: list[_Container] = []
    cells, word = 0, ""
    for token in _TOKEN.finditer(text):
        found = token[0]
        above = inside[-1] if inside else None
        is_source = above is not None and above.number > 0 and above.key == key
        if found in "[{":
            is_cell = found == "{" and _are_cells(inside)
            cells += is_cell
            name = above.key if above is not None and not above.is_list else ""
            inside.append(_Container(found == "[", name, cells if is_cell else 0, start=token.start() if is_source else -1))
        elif found in "]}":
            closed = inside.pop() if inside else None
            if closed is not None and closed.start >= 0 and closed.is_list:
                yield inside[-1].number, closed.start, token.end()
        elif found == ":" and above is not None:
            above.key = word
        elif found == "," and above is not None and not above.is_list:
            above.key = ""
        elif found.startswith('"'):
            word = json.loads(found, strict=False)
            if is_source and above is not None:
                yield above.number, token.start(), token.end()


def _are_cells(inside: list[_Container]) -> bool:
    """Whether a list that is being read is that of the notebook's cells, or of those of a sheet."""
    names = [container.name for container in inside if container.is_list]
    depth = {1: 2, 2: 4}.get(len(names))
    return len(inside) == depth and inside[-1].is_list and names in ([_CELLS], ["worksheets", _CELLS])


def _written(source: str, before: str) -> str:
    """A source as JSON, in the layout of the one before."""
    if not before.startswith("["):
        return json.dumps(source, ensure_ascii=False)
    first, last = _BLANKS.match(before, 1), before[:-1].rstrip()
    opening = first[0] if first is not None else ""
    closing = before[len(last) : -1]
    between = f",{opening}" if "\n" in opening else ", "
    lines = [json.dumps(line, ensure_ascii=False) for line in source.splitlines(keepends=True)]
    return f"[{opening}{between.join(lines)}{closing}]" if lines else "[]"
