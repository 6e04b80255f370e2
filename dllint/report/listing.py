"""What every output format gets: the findings of a run, in order, and the texts they point into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dllint.edit import Applicability, Edit, Fix
from dllint.engine.figures import Figures
from dllint.finding import Finding
from dllint.source.lines import Lines, split_lines
from dllint.source.notebook_lines import lines_in_file
from dllint.span import Location, Position


class SourceText:
    """A file's text by lines, to quote from and to turn the offsets of edits into positions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [line.rstrip("\r\n") for line in split_lines(text)]
        self._index = Lines(text)

    def line(self, number: int) -> str:
        """A line by its 1-based number, without its end; empty past the end of the text."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def position(self, offset: int) -> Position:
        """The 1-based line and column of an offset."""
        return self._index.position(offset)

    def extent(self, first: int, last: int) -> tuple[int, int]:
        """The offsets of the 1-based lines ``first`` to ``last``, the last one's end excluded."""
        starts = self._index.starts
        return starts[first - 1], starts[last - 1] + len(self.line(last))


@dataclass(frozen=True, slots=True)
class RuleText:
    """What formats print about a rule: its name, one-line summary and documentation page."""

    code: str
    name: str
    summary: str
    page: str


@dataclass(slots=True)
class Listing:
    """The findings of a run.

    ``read`` gives the decoded text of a file, or of one cell of a notebook, empty if it cannot be read any more; ``rules`` the
    texts of the rules that occur; ``base`` is the directory that printed paths are relative to. ``figures`` say what the run
    has followed, ``known`` counts the findings that a baseline hides, ``stale`` those that it still holds although they are
    gone, where that fails the check; ``notes`` are further closing lines. ``read_file`` gives the text of a file as it lies on
    disk, which of a notebook is not that of its cells.
    """

    findings: Sequence[Finding]
    read: Callable[[Path, int | None], str]
    rules: Mapping[str, RuleText] = field(default_factory=dict)
    base: Path = field(default_factory=Path.cwd)
    unsafe_fixes: bool = False
    color: bool = False
    fixed: int = 0
    quiet: bool = False
    figures: Figures | None = None
    known: int = 0
    notes: Sequence[str] = ()
    stale: int = 0
    read_file: Callable[[Path], str] = lambda path: ""
    _cell_lines: dict[Path, list[list[int]]] = field(default_factory=dict)
    _shown: dict[Path, str] = field(default_factory=dict)
    _texts: dict[tuple[Path, int | None], SourceText] = field(default_factory=dict)

    def source(self, path: Path, cell: int | None = None) -> SourceText:
        """The text of a file or notebook cell, read once."""
        if (path, cell) not in self._texts:
            self._texts[path, cell] = SourceText(self.read(path, cell))
        return self._texts[path, cell]

    def lines_in_file(self, location: Location) -> tuple[int, int]:
        """The first and the last line of the file that a place is on, for those who know files only; the first of the file if
        that cannot be told, as of what stands in the listing of a graph only."""
        first, last = location.span.first.line, location.span.last.line
        if location.in_file:
            return first, last
        if location.cell is None:
            return 1, 1
        lines = self._line_in_file(location, first), self._line_in_file(location, last)
        return min(lines), max(lines)

    def _line_in_file(self, location: Location, line: int) -> int:
        """The line of the file that a 1-based line of a notebook's cell is."""
        if location.path not in self._cell_lines:
            self._cell_lines[location.path] = lines_in_file(self.read_file(location.path))
        cells, number = self._cell_lines[location.path], location.cell or 0
        lines = cells[number - 1] if 0 < number <= len(cells) else []
        return lines[line - 1] if 0 < line <= len(lines) else min(lines, default=1)

    def shown(self, path: Path) -> str:
        """A path as it is printed: relative to ``base`` where it lies below it."""
        if path not in self._shown:
            absolute = path.absolute()
            is_below = absolute.is_relative_to(self.base)
            self._shown[path] = absolute.relative_to(self.base).as_posix() if is_below else str(path)
        return self._shown[path]

    def place(self, location: Location) -> str:
        """``path:line:column``, in a notebook ``path:cell 3:line:column``, in a graph that is no text ``path:node fc/Log``."""
        first = location.span.first
        if location.listed:
            return f"{self.shown(location.path)}:node {location.node}"
        cell = f"cell {location.cell}:" if location.cell is not None else ""
        return f"{self.shown(location.path)}:{cell}{first.line}:{first.column}"

    def mark(self, finding: Finding) -> str:
        """``[*] `` for a finding that ``--fix`` would repair with the present options, else nothing."""
        return "[*] " if self.fix_of(finding) is not None else ""

    def fix_of(self, finding: Finding) -> Fix | None:
        """The fix ``--fix`` would apply with the present options."""
        for fix in finding.local_fixes:
            if fix.applicability is Applicability.SAFE or (self.unsafe_fixes and fix.applicability is Applicability.UNSAFE):
                return fix
        return None

    def edit_positions(self, edit: Edit) -> tuple[Position, Position]:
        """Where an edit begins and ends."""
        source = self.source(edit.path, edit.cell)
        return source.position(edit.start), source.position(edit.end)


def counted(number: int, noun: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
