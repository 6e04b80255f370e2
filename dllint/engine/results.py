"""The result of checking a file: findings, notices for people, and applied fixes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from dllint.engine.dependencies import Dependencies
from dllint.engine.figures import Figures
from dllint.engine.followed import Followed
from dllint.finding import Confidence, Finding, Severity
from dllint.source.neutral import neutral, neutral_path
from dllint.span import Location, Position, Span

SYNTAX_ERROR: Final = "syntax-error"
IO_ERROR: Final = "io-error"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that kept part of the work from being done: a skipped file, a crash inside one rule, a package that reading
    a file needs; or a part of a file that could not be read (``incomplete``), a comment that says nothing (``ignored``)."""

    kind: Literal["skipped", "incomplete", "ignored", "missing-extra", "internal-error", "not-written"]
    path: Path
    message: str
    traceback: str = ""

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.kind}: {neutral_path(self.path)}: {neutral(self.message)}"

    @property
    def expected(self) -> bool:
        """Whether it is due to the file or to the settings, and the run has done what it could."""
        return self.kind in ("skipped", "incomplete", "ignored")


@dataclass(slots=True)
class FileResult:
    """The outcome for one file.

    ``before`` and ``after`` are the module's text (of a notebook: that of its Python cells) and differ if fixes changed it;
    ``fixed`` counts these by code, ``data`` is the file's new content then. ``cells`` are the texts of a notebook's cells,
    ``decided`` says who decided which releases the code is for. ``dependencies`` are there if the result may be kept.
    ``unread``: it comes from the cache, and the texts are not there yet (``engine/reading.py`` reads them).
    """

    path: Path
    findings: list[Finding] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    before: str = ""
    after: str = ""
    encoding: str = "utf-8"
    fixed: Counter[str] = field(default_factory=Counter)
    data: bytes | None = None
    dependencies: Dependencies | None = None
    unread: bool = False
    cells: dict[int, str] = field(default_factory=dict)
    #: What the findings rest on; ``None`` if the file was not looked at.
    followed: Followed | None = None
    #: What all analyses of the run have seen of the file, where that is known already.
    figures: Figures | None = None
    decided: tuple[str, ...] = ()
    #: Whether more memory than the share of one process would give another result.
    lacked_memory: bool = False


def problem(kind: str, path: Path, line: int, column: int, message: str) -> Finding:
    """A finding about the file itself: it has a syntax error or cannot be read."""
    place = Position(line, column)
    end = Position(line, column + 1)
    return Finding(kind, kind, message, Severity.ERROR, Confidence.HIGH, Location(path, Span(0, 0, place, end)))


def size_of(path: Path) -> int:
    """The bytes of a file; 0 if it cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
