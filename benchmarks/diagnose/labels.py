"""The programs, and what the comments in them say about their faults.

A faulty line ends in ``# expect: CODE[,CODE]``; several lines may be marked, each of them is right. A line of its own says
``# accept: kind[,kind]``, the kinds of repairs that are right. ``# backend: tensorflow`` names another backend of Keras than
torch; ``# set: late`` marks programs that were written after the tool had been improved with the others in view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
_EXPECT = re.compile(r"# expect: ([\w, ]+)$")
_ACCEPT = re.compile(r"^# accept: ([\w, -]+)$")
_BACKEND = re.compile(r"^# backend: (\w+)$")
_LATE = "# set: late"
_FRAMEWORK = re.compile(r"^(?:from|import) (tensorflow|keras)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Program:
    """A program; ``lines`` (row → codes) and ``accepted`` are empty for healthy ones."""

    path: Path
    backend: str
    uses_keras: bool
    lines: dict[int, tuple[str, ...]]
    accepted: tuple[str, ...]
    is_late: bool = False

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def codes(self) -> frozenset[str]:
        """What the symptom may be."""
        return frozenset(code for codes in self.lines.values() for code in codes)

    @property
    def framework(self) -> str:
        return f"keras on {self.backend}" if self.uses_keras else "torch"


def programs(kind: str, only: str | None = None) -> list[Program]:
    """The ``faulty`` or the ``healthy`` programs, by name; only those with a text in their name."""
    return [read(path) for path in sorted((PROGRAMS / kind).glob("*.py")) if only is None or only in path.stem]


def read(path: Path) -> Program:
    """A program with its labels."""
    text = path.read_text(encoding="utf-8")
    rows = text.splitlines()
    backend = next(_found(_BACKEND, rows), "torch")
    uses_keras = _FRAMEWORK.search(text) is not None
    lines = {row: tuple(_split(match[1])) for row, line in enumerate(rows, 1) if (match := _EXPECT.search(line))}
    accepted = tuple(kind for kinds in _found(_ACCEPT, rows) for kind in _split(kinds))
    return Program(path, backend, uses_keras, lines, accepted, _LATE in rows)


def _found(pattern: re.Pattern[str], rows: list[str]) -> Iterator[str]:
    return (match[1] for match in map(pattern.search, rows) if match)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]
