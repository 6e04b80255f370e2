"""Line numbers in a notebook's file of the lines of its cells, for consumers that know files only."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]')
#: What cells keep their text in, in this format of notebooks and the one before.
_SOURCE: Final = ("source", "input")


@dataclass(slots=True)
class _Container:
    """A list or an object that is being read: what it is called, and the key that was read last."""

    is_list: bool
    name: str
    key: str = ""
    is_cell: bool = False


def lines_in_file(text: str) -> list[list[int]]:
    """For every cell of a notebook the 1-based lines of the file on which the lines of its text stand."""
    cells: list[list[int]] = []
    inside: list[_Container] = []
    line, at, word = 1, 0, ""
    is_open = False
    for match in _TOKEN.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        token = match[0]
        if token in "[{":
            name = inside[-1].key if inside and not inside[-1].is_list else ""
            is_cell = token == "{" and bool(inside) and inside[-1].is_list and inside[-1].name == "cells"
            if is_cell:
                cells.append([])
            inside.append(_Container(token == "[", name, is_cell=is_cell))
            is_open = False
        elif token in "]}":
            del inside[-1:]
        elif token == ":" and inside:
            inside[-1].key = word
        elif token == "," and inside and not inside[-1].is_list:
            inside[-1].key = ""
        elif token.startswith('"'):
            word = token[1:-1]
            if cells and _is_source(inside):
                is_open = _add(cells[-1], token, line, is_open=is_open)
    return cells


def _is_source(inside: list[_Container]) -> bool:
    """Whether a string is text of a cell: the value of its key, or one of a list there."""
    if inside and inside[-1].is_list:
        return inside[-1].name in _SOURCE and len(inside) > 1 and inside[-2].is_cell
    return bool(inside) and inside[-1].is_cell and inside[-1].key in _SOURCE


def _add(lines: list[int], token: str, line: int, *, is_open: bool) -> bool:
    """Add the lines of a string, of which the first may go on with the last one; whether its own last line is not ended."""
    try:
        parts = str(json.loads(token, strict=False)).split("\n")
    except ValueError:
        parts = [token]
    count = len(parts) - is_open - (not parts[-1])
    lines += [line] * max(count, 0)
    return bool(parts[-1])
