"""The findings of runs, kept on their lines while the files are edited."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from lsprotocol import types as lsp

from dllint.server.diagnostics import SEVERITIES
from dllint.server.runs.findings import RunFinding
from dllint.server.text import Text
from dllint.source.lines import common_ends, split_lines
from dllint.span import Position


@dataclass(frozen=True, slots=True)
class _Mark:
    """A finding of a run by a tool, with the lines of all files as the run has seen them, by :func:`real` path."""

    tool: str
    finding: RunFinding
    seen: Mapping[Path, Sequence[str]]

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the file that the finding is in."""
        return self.seen.get(real(self.finding.path), ())


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding as it is shown, with the lines of files as the run has seen them."""

    finding: RunFinding
    diagnostic: lsp.Diagnostic
    seen: Mapping[Path, Sequence[str]]


class Marks:
    """What the last run of each tool on each file has found. A finding goes with its lines; while one of them reads
    otherwise than the run has seen it, the finding is not shown."""

    def __init__(self) -> None:
        self._by_run: dict[tuple[str, Path], list[_Mark]] = {}

    def keep(self, tool: str, target: Path, findings: Sequence[RunFinding], texts: Mapping[Path, str]) -> set[Path]:
        """Keep what a run has found; ``texts`` are those that it has read, by :func:`real` path. The files with findings."""
        lines = {path: bare_lines(text) for path, text in texts.items()}
        marks = [_Mark(tool, finding, lines) for finding in findings]
        self._by_run[tool, real(target)] = marks
        return {mark.finding.path for mark in marks}

    def drop(self, tool: str, target: Path) -> set[Path]:
        """Forget a run; the files that it had findings in."""
        return {mark.finding.path for mark in self._by_run.pop((tool, real(target)), ())}

    def clear(self) -> set[Path]:
        """Forget all runs; the files that they had findings in."""
        paths = {mark.finding.path for marks in self._by_run.values() for mark in marks}
        self._by_run.clear()
        return paths

    def diagnostics(self, path: Path, text: Text) -> list[lsp.Diagnostic]:
        """What to show in a text of a file."""
        return [shown.diagnostic for shown in self.shown(path, text)]

    def shown(self, path: Path, text: Text) -> Iterator[Shown]:
        """The findings in a text of a file that are still where the run has seen them."""
        if not self._by_run:
            return
        wanted = real(path)
        marks = [mark for marks in self._by_run.values() for mark in marks if real(mark.finding.path) == wanted]
        lines = bare_lines(text.content) if marks else []
        for mark in marks:
            place = _place(mark, lines, text)
            if place is not None:
                yield Shown(mark.finding, _diagnostic(mark, place), mark.seen)


def real(path: Path) -> Path:
    """The path by which a file is known, whatever links lead to it."""
    return Path(os.path.realpath(path))


def bare_lines(text: str) -> list[str]:
    """The lines of a text without their ends."""
    return [line.rstrip("\r\n") for line in split_lines(text)]


def moved(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Where the lines of an old text are in a new one, counted from 0; without those that are gone or read otherwise."""
    head, tail = common_ends(old, new)
    middle = slice(head, len(old) - tail), slice(head, len(new) - tail)
    blocks = SequenceMatcher(None, old[middle[0]], new[middle[1]], autojunk=False).get_matching_blocks()
    places = {head + block.a + i: head + block.b + i for block in blocks for i in range(block.size)}
    places.update({i: i for i in range(head)})
    places.update({len(old) - i: len(new) - i for i in range(1, tail + 1)})
    return places


def _place(mark: _Mark, lines: Sequence[str], text: Text) -> lsp.Range | None:
    first, last = mark.finding.first, mark.finding.last or mark.finding.first
    places = moved(mark.lines, lines)
    now = [places.get(row - 1) for row in range(first.line, last.line + 1)]
    start = now[0]
    if start is None or now != list(range(start, start + len(now))):
        return None
    end = last.column if mark.finding.last is not None else len(lines[start].rstrip()) + 1
    begin = min(first.column, len(lines[start]) + 1)
    return lsp.Range(
        text.from_columns(Position(start + 1, begin)),
        text.from_columns(Position(start + len(now), max(end, begin))),
    )


def _diagnostic(mark: _Mark, place: lsp.Range) -> lsp.Diagnostic:
    finding = mark.finding
    return lsp.Diagnostic(
        range=place,
        message=finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=lsp.CodeDescription(finding.page) if finding.page else None,
        source=f"dllint {mark.tool}",
        data={"run": mark.tool},
    )
