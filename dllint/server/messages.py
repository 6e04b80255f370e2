"""The messages between the server and its analysis process; everything here is plain data that can be pickled.

The server holds the protocol and must answer at once; the analysis runs in a process of its own, so that neither a large
file nor a fault of ours can hold up or end the conversation with the editor. Offsets count code points of the text of the
version that is named beside them.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dllint.edit import Edit, Fix
from dllint.finding import Finding

if TYPE_CHECKING:
    from dllint.analysis.architecture.outlined import Outline
    from dllint.engine.figures import Figures
    from dllint.engine.results import Notice


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """What the editor sets for the files below ``root`` (``None``: all files of no folder): a configuration file, or
    settings by their kebab-case names that win over every file; the interpreter that it has chosen, which is only looked at."""

    root: Path | None
    file: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    interpreter: str = ""


@dataclass(frozen=True, slots=True)
class Configure:
    """Use these options from now on, and read all configuration files anew."""

    folders: tuple[FolderOptions, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """The editor's text of a file counts from now on, not the one on disk."""

    path: Path
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Cells:
    """The editor's Python cells of a notebook count from now on, not those on disk: the 1-based number of each among all
    cells, in order, and its text. Places and edits in answers are then given in terms of cells."""

    path: Path
    version: int
    cells: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """The editor has closed a file: the one on disk counts again."""

    path: Path


@dataclass(frozen=True, slots=True)
class Touched:
    """Files were changed, created or deleted on disk."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """Find the faults of an open file. Answered by :class:`Checked`; what is known at its places follows as :class:`Known`."""

    path: Path


@dataclass(frozen=True, slots=True)
class Prove:
    """Which fixes of some findings of a version (by their number) pass the fix gate, and what would silence the findings?
    Answered by :class:`Proved`."""

    path: Path
    version: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FixAll:
    """Apply every fix that may be applied unasked; with ``cell`` only those that change nothing but that cell of a notebook.
    Answered by :class:`Fixed`."""

    path: Path
    version: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """The traced programs of an open file. Answered by their text."""

    path: Path


@dataclass(frozen=True, slots=True)
class Draw:
    """The graph of a model of an open file. ``asked`` names the model as outlines do, or is empty: the last one; ``closed``
    and ``opened`` are the keys of boxes whose parts are not shown, or are shown although they are deep. Answered by
    :class:`Drawn`, or an empty text."""

    path: Path
    asked: str = ""
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summarise:
    """The layers of a model of an open file as a table. ``asked`` names the model as outlines do, or is empty: the last one.
    Answered by :class:`Summarised`, or an empty text."""

    path: Path
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """What a finding of a version (by its number) rests on. Answered by a page in HTML, or :class:`Superseded`."""

    path: Path
    version: int
    number: int


@dataclass(frozen=True, slots=True)
class WriteTest:
    """A test of the architecture of a class of an open file. Answered by :class:`ModelTest`."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class RulePages:
    """The addresses of the pages of some rules. Answered by a table of them by code."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindFiles:
    """The files below some folders that are to be checked. Answered by :class:`Paths`."""

    roots: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class CheckSaved:
    """Check files as they lie on the disk. Answered by :class:`Surveyed`, with what each file tells of itself."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Conclude:
    """What was found in all files that were checked on the disk, each finding in the file that holds it. Answered by
    :class:`Surveyed`."""


Statement = Configure | Buffer | Cells | Closed | Touched
Question = Check | Prove | FixAll | Show | Draw | Summarise | Why | WriteTest | RulePages | FindFiles | CheckSaved | Conclude


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the number its answer will bear."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of a version, their fixes not yet proved, and the address of each rule's page by code; ``complaints`` are
    for the user, who can mend what they are about."""

    path: Path
    version: int
    findings: tuple[Finding, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proved:
    """By the number of their finding, the fixes that passed, the edit that silences the finding by a comment, and the one that
    silences its rule in the file."""

    path: Path
    version: int
    fixes: Mapping[int, tuple[Fix, ...]] = field(default_factory=dict)
    comments: Mapping[int, Edit] = field(default_factory=dict)
    file_comments: Mapping[int, Edit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A version's text with all fixes applied; of a notebook that of its module, and the texts of its cells by number."""

    path: Path
    version: int
    text: str
    cells: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """What is known at a place: ``text`` is Markdown; ``hint`` is what an inlay hint behind the place shows, if it has one;
    ``is_parameter`` if it is a parameter of a function.
    In a notebook, the offsets are those in the cell of the number ``cell``."""

    start: int
    end: int
    text: str
    hint: str = ""
    cell: int | None = None
    is_parameter: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known at the places of a version, sorted by start, inner places after outer ones; what was followed of it; and
    its models.

    The places stay packed until somebody asks for one: unpacking those of a large file would hold up the server.
    """

    path: Path
    version: int
    packed: bytes
    followed: Figures | None = None
    outlined: bytes = b""

    @classmethod
    def of(
        cls,
        path: Path,
        version: int,
        places: tuple[Place, ...],
        followed: Figures | None = None,
        outlines: Mapping[int | None, Outline] | None = None,
    ) -> Known:
        """The message about some places; ``outlines`` are by the number of the cell, ``None`` for a file."""
        return cls(path, version, pickle.dumps(places), followed, pickle.dumps(outlines) if outlines else b"")

    @property
    def outlines(self) -> Mapping[int | None, Outline]:
        """The models by the number of the cell, unpacked."""
        outlines: Mapping[int | None, Outline] = pickle.loads(self.outlined) if self.outlined else {}
        return outlines

    @property
    def places(self) -> tuple[Place, ...]:
        """The places, unpacked."""
        places: tuple[Place, ...] = pickle.loads(self.packed)
        return places


@dataclass(frozen=True, slots=True)
class Drawn:
    """A graph as SVG, its title, and the model as outlines name it."""

    svg: str
    title: str
    asked: str


@dataclass(frozen=True, slots=True)
class Summarised:
    """A table of layers in HTML, its title, and the model as outlines name it."""

    table: str
    title: str
    asked: str


@dataclass(frozen=True, slots=True)
class ModelTest:
    """The text of a test file, or why there is none."""

    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Paths:
    """Files to check; ``left_out`` are more than are checked."""

    paths: tuple[Path, ...]
    left_out: int = 0
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What was found in files on the disk; places in notebooks are those in the file."""

    files: tuple[Checked, ...]


@dataclass(frozen=True, slots=True)
class Superseded:
    """The answer to a question that a later one has made pointless."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer to a question that could not be answered, and why; ``by_settings`` if the user can mend it."""

    reason: str
    traceback: str = ""
    by_settings: bool = False


#: Answers to questions about one open file.
Made = Checked | Proved | Fixed | Drawn | Summarised | ModelTest


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the question of a number."""

    number: int
    value: Made | Paths | Surveyed | Mapping[str, str] | str | Superseded | Failed


@dataclass(frozen=True, slots=True)
class Log:
    """A message for the log; ``level`` is one of Python's."""

    level: int
    text: str


Reply = Answer | Known | Log
