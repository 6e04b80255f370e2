"""Jupyter notebooks: the Python cells as one module, and the way back.

The module's text has every Python cell under a marker line of its own, so that an edited module can be cut into cells again.
Cells of other languages and those that do not parse are left out. IPython's own syntax (magics, shell commands, help) becomes
a line of Python of the same place, see :mod:`dllint.source.magics`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from dllint.source.lines import Lines, count_breaks, split_lines
from dllint.source.magics import Translated, translated
from dllint.source.notebook_names import PYTHON_LANGUAGES
from dllint.source.notebook_text import with_sources
from dllint.source.parse import SyntaxProblem, parse, syntax_problem
from dllint.source.plain import Plain
from dllint.span import Position

_MARKER: Final = "# dllint: cell {}\n"
_MARKED: Final = re.compile(r"^# dllint: cell (\d+)\n", re.MULTILINE)


class NotebookError(ValueError):
    """The text is no notebook that can be read; the message says why, ``line`` and ``column`` (1-based) where."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class LostCellsError(ValueError):
    """An edited module can not be cut into the notebook's cells again."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A Python cell: its 1-based number among all cells, its text, and what of it is analysed (the same number of lines)."""

    number: int
    source: str
    translated: Translated


class Place(NamedTuple):
    """Where an offset of the module lies: the cell's number and the offset in the cell's text."""

    cell: int
    offset: int


class Notebook:
    """The Python cells of a notebook as one module.

    ``problems`` holds, by the number of the cell, why a cell does not parse, ``broken`` its text.
    """

    def __init__(self, sources: Sequence[tuple[int, str]]) -> None:
        self.problems: dict[int, SyntaxProblem] = {}
        self.broken: dict[int, str] = {}
        self.cells = [cell for number, source in sources if (cell := self._cell(number, source)) is not None]

    def _cell(self, number: int, source: str) -> Cell | None:
        found = translated(source)
        if found is None:
            return None
        problem = _problem(found.code)
        if problem is not None:
            self.problems[number], self.broken[number] = problem, source
            return None
        return Cell(number, source, found)

    @cached_property
    def text(self) -> str:
        """The text of the module."""
        return "".join(f"{_MARKER.format(cell.number)}{_ended(cell.translated.code)}" for cell in self.cells)

    @property
    def texts(self) -> dict[int, str]:
        """The texts of the cells by number."""
        return {cell.number: cell.source for cell in self.cells}

    def source(self, number: int) -> str:
        """The text of a cell, empty if it is none of the module's."""
        return next((cell.source for cell in self.cells if cell.number == number), "")

    def place(self, offset: int) -> Place:
        """The cell of an offset of ``text``; what lies on a marker line belongs to the end of the cell before it.

        Raises IndexError if there are no cells.
        """
        at = max(bisect_right(self._starts, offset) - 1, 0)
        cell = self.cells[at]
        inside = offset - self._starts[at] - len(_MARKER.format(cell.number))
        if inside < 0 and at > 0:
            return Place(self.cells[at - 1].number, len(self.cells[at - 1].source))
        return Place(cell.number, _in_source(cell, inside))

    @cached_property
    def _starts(self) -> list[int]:
        """Offsets of the marker lines in ``text``."""
        starts, at = [], 0
        for cell in self.cells:
            starts.append(at)
            at += len(_MARKER.format(cell.number)) + len(_ended(cell.translated.code))
        return starts

    def line_of(self, number: int, line: int) -> int | None:
        """The 1-based line of ``text`` that is a 1-based line of a cell; ``None`` if there is none."""
        for start, cell in zip(self._starts, self.cells, strict=True):
            if cell.number == number and 1 <= line <= len(Lines(cell.source).starts):
                return Lines(self.text).position(start).line + line
        return None

    def sources(self, text: str) -> dict[int, str]:
        """The texts of the cells in an edited module, by number.

        Raises:
            LostCellsError: a marker or a line that stands for IPython's syntax is gone or was moved.
        """
        parts = _MARKED.split(text)
        numbers = [int(number) for number in parts[1::2]]
        if numbers != [cell.number for cell in self.cells]:
            raise LostCellsError("the edit would change which cells there are")
        codes = parts[2::2]
        if codes:
            codes[0] = parts[0] + codes[0]
        return {cell.number: _restored(cell, code) for cell, code in zip(self.cells, codes, strict=True)}


def line_in_cell(text: str, offset: int) -> tuple[int, int] | None:
    """The number of the cell of an offset in a notebook's module, and the 1-based line in the cell."""
    marks = list(_MARKED.finditer(text, 0, offset))
    return (int(marks[-1][1]), 1 + count_breaks(text[marks[-1].end() : offset])) if marks else None


def _in_source(cell: Cell, offset: int) -> int:
    """Where an offset of what is analysed of a cell lies in its text. Lines that stand for IPython's syntax have another length
    than its own; lines and columns are what both have in common, but for the margin of an indented cell."""
    code, source = cell.translated.code, cell.source
    if code == source:
        return min(max(offset, 0), len(source))
    position = Lines(code).position(offset)
    row = position.line - 1
    analysed, written = (split_lines(text)[row : row + 1] for text in (code, source))
    if analysed and written:
        bare, whole = analysed[0].rstrip("\r\n"), written[0].rstrip("\r\n")
        lost = len(whole) - len(bare) if whole.endswith(bare) else 0
        position = Position(position.line, position.column + lost)
    return Lines(source).offset(position)


def cell_range(text: str, number: int) -> tuple[int, int] | None:
    """The offsets between which a cell lies in a notebook's module, ``None`` if it has no such cell; what is in front of all
    cells belongs to the first one."""
    marks = list(_MARKED.finditer(text))
    at = next((at for at, mark in enumerate(marks) if int(mark[1]) == number), None)
    if at is None:
        return None
    return marks[at].end() if at else 0, marks[at + 1].start() if at + 1 < len(marks) else len(text)


def _problem(code: str) -> SyntaxProblem | None:
    """Why a cell does not parse. The running interpreter may be older than the cell's grammar: libcst has the last word."""
    if syntax_problem(code) is None:
        return None
    parsed = parse(code)
    return parsed if isinstance(parsed, SyntaxProblem) else None


def _ended(code: str) -> str:
    return code if not code or code.endswith("\n") else f"{code}\n"


def _restored(cell: Cell, code: str) -> str:
    """The text of a cell after its analysed form was edited."""
    if code == _ended(cell.translated.code):
        return cell.source
    if not cell.source.endswith("\n"):
        code = code.removesuffix("\n")
    restored = cell.translated.restore(code)
    if restored is None:
        raise LostCellsError(f"the edit would change a line of cell {cell.number} that is no Python")
    return restored


class NotebookFile:
    """A notebook as it lies on disk. Raises :class:`NotebookError` if the text is none."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._data = _loaded(text)
        self._source_key = "source" if "cells" in self._data else "input"
        self._cells = _cells_of(self._data)
        self.notebook = Notebook(list(self._python()))

    def _python(self) -> Iterator[tuple[int, str]]:
        if _language(self._data) not in PYTHON_LANGUAGES:
            return
        for number, cell in enumerate(self._cells, 1):
            if cell.get("cell_type") == "code" and _cell_language(cell) in PYTHON_LANGUAGES:
                yield number, _joined(cell.get(self._source_key, ""))

    def with_module(self, text: str) -> str:
        """The file's text after an edit of the module. Raises :class:`LostCellsError`."""
        sources = self.notebook.sources(text)
        changed = {number: source for number, source in sources.items() if self._source(number) != source}
        edited = with_sources(self._text, self._source_key, changed)
        try:
            after = NotebookFile(edited)._sources()
        except NotebookError:
            after = []
        if after != [changed.get(number, source) for number, source in enumerate(self._sources(), 1)]:
            raise LostCellsError("the notebook's JSON says things twice, so that its cells cannot be replaced")
        return edited

    def _source(self, number: int) -> str:
        return _joined(self._cells[number - 1].get(self._source_key, ""))

    def _sources(self) -> list[str]:
        return [self._source(number) for number in range(1, len(self._cells) + 1)]


def _loaded(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotebookError(f"the notebook is not valid JSON: {error.msg}", error.lineno, error.colno) from error
    except RecursionError:
        raise NotebookError("the notebook is nested too deeply") from None
    except ValueError as error:  # a number with more digits than the interpreter reads
        raise NotebookError(f"the notebook cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise NotebookError("the file is not a notebook: it holds no JSON object")
    return data


def _cells_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a notebook of format 4, or of the sheets of format 3."""
    sheets = [data] if "cells" in data else data.get("worksheets", [])
    try:
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
    except (TypeError, KeyError):
        cells = [None]
    if not sheets or not all(isinstance(cell, dict) for cell in cells):
        raise NotebookError("the file is not a notebook: it has no list of cells")
    return cells


def _language(data: dict[str, Any]) -> str:
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for section, key in (("kernelspec", "language"), ("language_info", "name")):
        part = metadata.get(section)
        if isinstance(part, dict) and part.get(key):
            return str(part[key]).lower()
    return ""


def _cell_language(cell: dict[str, Any]) -> str:
    """The language that an editor has recorded for one cell, if any."""
    metadata = cell.get("metadata")
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    return str(editor.get("languageId", "")).lower() if isinstance(editor, dict) else ""


def _joined(source: Plain) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""
