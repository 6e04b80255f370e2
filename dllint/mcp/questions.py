"""The questions that the worker answers; everything here is plain data that can be pickled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dllint.mcp.answers import CheckAnswer, FixesAnswer, PlaceAnswer, RulePage, SummaryAnswer
from dllint.mcp.roots import Roots


@dataclass(frozen=True, slots=True)
class Around:
    """What holds for every question: where files may lie, and the environment whose installed packages are read."""

    roots: Roots
    python: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """The findings in files and folders; ``select`` are codes, prefixes or names of rules (all if empty). No file is begun
    after so many ``seconds``."""

    paths: tuple[Path, ...]
    select: tuple[str, ...]
    most: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Explain:
    """The page of a rule."""

    rule: str


@dataclass(frozen=True, slots=True)
class ShapeAt:
    """What is known at a line: of the expressions at a column, of those that read ``name``, or of all."""

    path: Path
    line: int
    column: int | None
    name: str
    cell: int | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The models of a file, or the one that an expression of the file gives, called with ``inputs``."""

    path: Path
    model: str
    inputs: tuple[str, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Fixes:
    """The fixes of the findings of a file, at a line or with a code, if these are given."""

    path: Path
    line: int | None
    code: str
    cell: int | None
    unsafe: bool


Question = Check | Explain | ShapeAt | Summary | Fixes
Answer = CheckAnswer | RulePage | PlaceAnswer | SummaryAnswer | FixesAnswer


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a question that cannot be answered, in words for the agent."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; ``is_last`` if the process ends with it, to give back its memory."""

    value: Answer | Refused
    is_last: bool = False
