"""A migration of one file: steps and rules in turn until nothing changes, then what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from dllint.edit import Edit, apply_edits
from dllint.engine.cells import Cells
from dllint.engine.edits import Taken
from dllint.engine.reading import Source, read_source
from dllint.engine.results import SYNTAX_ERROR, FileResult, Notice, problem
from dllint.engine.session import Session
from dllint.finding import Confidence, Finding, Severity
from dllint.migrate.change import Change, Remark
from dllint.migrate.goal import Goal
from dllint.rules.context import location
from dllint.source.document import Document
from dllint.source.notebook import NotebookFile

#: The name under which a remark of a step is reported.
BY_HAND: Final = "migrate"
#: The rules whose fixes are version fixes.
RULES: Final = ("DLA102", "DLA103", "DLA104")
_MOST_ROUNDS: Final = 8


@dataclass(slots=True)
class Migrated:
    """A file after its migration. ``before`` and ``after`` are its content; ``changes`` counts what was done, by kind; ``left``
    is what has to be done by hand."""

    path: Path
    before: bytes
    after: bytes
    texts: tuple[str, str] = ("", "")
    changes: Counter[str] = field(default_factory=Counter)
    left: list[Finding] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether anything was done."""
        return self.before != self.after


def migrate_file(session: Session, path: Path, data: bytes, goals: Sequence[Goal]) -> Migrated:
    """Migrate the content of a file; nothing is written.

    A result that does not parse is not kept.
    """
    done = Migrated(path, data, data)
    source = read_source(path, data)
    if isinstance(source, Finding):
        done.left.append(source)
        return done
    document = Document.from_text(path, source.text, source.encoding)
    if document.problem is not None:
        result = session.check_bytes(path, data)
        done.left = result.findings or [_unreadable(path, result.notices)]
        return done
    stepped, remarks = stepwise(document, goals, done.changes)
    result = session.check_bytes(path, source.data(stepped.text), fix=True)
    done.changes.update(result.fixed)
    after = result.after or stepped.text
    document = Document.from_text(path, after, source.encoding)
    if document.problem is None and any(True for _ in _wanted(document, goals)):
        document, remarks = stepwise(document, goals, done.changes)
        result = session.check_bytes(path, source.data(document.text), fix=True)
        done.changes.update(result.fixed)
        after = result.after or document.text
    _finish(done, source, after, result, goals, remarks)
    return done


def stepwise(document: Document, goals: Sequence[Goal], changes: Counter[str]) -> tuple[Document, list[Remark]]:
    """A document after all changes that the steps want, one round after the other, and what they remark at last."""
    remarks: list[Remark] = []
    for _ in range(_MOST_ROUNDS):
        taken, edits, kinds = Taken(), list[Edit](), Counter[str]()
        remarks = []
        for found in _wanted(document, goals):
            if isinstance(found, Remark):
                remarks.append(found)
            elif found.edits and taken.have_room_for(found.edits):
                taken.add(found.edits)
                edits += found.edits
                kinds[found.kind] += 1
        if not edits:
            break
        edited = Document.from_text(document.path, apply_edits(document.text, set(edits)), document.encoding)
        if edited.problem is not None or edited.text == document.text:
            break
        document = edited
        changes.update(kinds)
    return document, remarks


def _wanted(document: Document, goals: Sequence[Goal]) -> Iterable[Change | Remark]:
    return (found for goal in goals for step in goal.steps for found in step(document))


def _unreadable(path: Path, notices: Sequence[Notice]) -> Finding:
    """What is said of a file that does not parse: as a whole it is left."""
    why = notices[0].message if notices else "it does not parse"
    advice = "convert it with 2to3 first" if "Python 2" in why else ""
    return replace(problem(SYNTAX_ERROR, path, 1, 1, f"it is not migrated: {why}"), advice=advice)


def _finish(
    done: Migrated, source: Source, after: str, result: FileResult, goals: Sequence[Goal], remarks: Sequence[Remark]
) -> None:
    """Make the file's content of its text, and list what is left in terms of it."""
    if Document.from_text(done.path, after, source.encoding).problem is not None:
        done.notices.append(Notice("not-written", done.path, "the migrated text does not parse"))
        done.changes.clear()
        after = source.text
    done.texts = (source.text, after)
    done.after = done.before if after == source.text else source.data(after)
    done.notices += result.notices
    rules = [finding for finding in result.findings if any(goal.concerns(finding) for goal in goals)]
    found = [finding_of(remark) for remark in remarks]
    if source.notebook is not None:
        notebook = NotebookFile(done.after.decode(source.encoding)).notebook
        cells = Cells(done.path, notebook)
        found = [cells.finding(finding) for finding in found]
    remarked = {_place(finding) for finding in found}
    done.left = sorted((*(each for each in rules if _place(each) not in remarked), *found), key=_place)


def _place(finding: Finding) -> tuple[int, int, int]:
    first = finding.location.span.first
    return finding.location.cell or 0, first.line, first.column


def finding_of(remark: Remark) -> Finding:
    """A remark as a finding."""
    place = location(remark.site)
    return Finding(BY_HAND, BY_HAND, remark.message, Severity.WARNING, Confidence.HIGH, place, advice=remark.advice)
