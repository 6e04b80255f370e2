"""What dllint says of a text in the place of a file, and which repair it offers."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from benchmarks.slips.repositories import text_of
from benchmarks.slips.running import Answer, Runner
from benchmarks.slips.seeding import DIFFERS, Slip, outcome
from dllint.config.discovery import Configuration
from dllint.edit import Applicability, Fix, apply_edits
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.engine.tracing import Read
from dllint.finding import Finding, Severity
from dllint.source.document import Document
from dllint.source.lazy import LazyDocument

_TOLD: Final = (Severity.ERROR, Severity.WARNING)
#: Files that import the one with the slip and are checked, too.
_IMPORTERS: Final = 2

#: What a repair is: the unchanged program; one that runs and gives the same results, shapes and parameters; one that gives
#: other values of the same shapes, with the same parameters; one that runs and gives others; one that raises as before or
#: elsewhere; one that gives what the faulty program gives.
EQUAL, EQUIVALENT, SAME_FORM, OTHER = "equal", "equivalent", "same form", "other"
STILL_RAISES, STILL_DIFFERS, NOT_RUN = "still raises", "still differs", "not run"


@dataclass(slots=True)
class Told:
    """New errors and warnings at a slip; new hints; the fixes offered for them with what each is."""

    findings: list[Finding] = field(default_factory=list)
    hints: list[Finding] = field(default_factory=list)
    fixes: list[tuple[Fix, str]] = field(default_factory=list)


class Checker:
    """Checks texts in the place of the files of a checkout."""

    def __init__(self, read: Read = LazyDocument.open) -> None:
        self._session = Session(Configuration(isolated=True), read=read)
        self._clean: dict[Path, list[Finding]] = {}

    def analysis(self, path: Path, text: str) -> Analysis:
        """The analysis of a text."""
        analyser = self._session.analyser(path)
        return analyser.analyse(self._session.tracer(analyser.settings).open(path, text, "utf-8"))

    def clean(self, path: Path, text: str) -> list[Finding]:
        """The findings in a file as it is."""
        if path not in self._clean:
            self._clean[path] = self.analysis(path, text).findings
        return self._clean[path]

    def told(self, slip: Slip, root: Path, runner: Runner, *, fixes: bool) -> Told:
        """What is said of a slip that is not said of the unchanged file; where nothing is, of files that import it."""
        analysis = self.analysis(slip.file, slip.after)
        new = _new(self.clean(slip.file, slip.before), analysis.findings, slip)
        for importer in () if any(finding.severity in _TOLD for finding in new) else importers(root, slip.file):
            new += self._told_elsewhere(slip, importer)
        out = Told([f for f in new if f.severity in _TOLD], [f for f in new if f.severity not in _TOLD])
        for finding in out.findings if fixes else ():
            for fix in self._session.fixes_for(analysis, finding):
                if fix.applicability is not Applicability.DISPLAY:
                    out.fixes.append((fix, judged(slip, fix, root, runner)))
        return out

    def _told_elsewhere(self, slip: Slip, importer: Path) -> list[Finding]:
        """What is said of a file that imports the one with the slip and is not said when that is as it was."""

        def read(path: Path) -> Document:
            return LazyDocument.from_text(path, slip.after) if path == slip.file else LazyDocument.open(path)

        text = text_of(importer)
        before = self.clean(importer, text)
        return _new(before, Checker(read).clean(importer, text), slip)


def importers(root: Path, file: Path) -> list[Path]:
    """Files of a checkout that import a module by its name, those beside it first."""
    stem = file.parent.name if file.stem == "__init__" else file.stem
    named = re.compile(
        rf"^\s*(?:from\s+[\w.]*\b{stem}\s+import|import\s+[\w.]*\b{stem}\b|from\s+[\w.]+\s+import\b.*\b{stem}\b)", re.MULTILINE
    )
    found = [path for path in sorted(root.rglob("*.py")) if path != file and path.is_file() and named.search(text_of(path))]
    return sorted(found, key=lambda path: (path.parent != file.parent, path.parent != root, path))[:_IMPORTERS]


def _new(before: Sequence[Finding], after: Sequence[Finding], slip: Slip) -> list[Finding]:
    """The findings that an unchanged file does not have, by rule and line."""
    lines = _moved(slip)
    old = Counter(_place(finding, lines, slip.file) for finding in before)
    new: list[Finding] = []
    for finding in after:
        key = _place(finding, None, slip.file)
        if old[key]:
            old[key] -= 1
        else:
            new.append(finding)
    return new


def _place(finding: Finding, moved: Mapping[int, int] | None, file: Path) -> tuple[str, Path, int]:
    path, line = finding.location.path, finding.location.span.first.line
    return finding.code, path, moved.get(line, 0) if moved is not None and path == file else line


def _moved(slip: Slip) -> dict[int, int]:
    """Lines of the unchanged file as lines of the other."""
    a, b = slip.before.splitlines(), slip.after.splitlines()
    out: dict[int, int] = {}
    for tag, start, end, other, _ in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag in ("equal", "replace"):
            out |= {line + 1: line - start + other + 1 for line in range(start, end)}
    return out


def judged(slip: Slip, fix: Fix, root: Path, runner: Runner) -> str:
    """What a repair makes of the faulty program, beside the unchanged one."""
    if any(edit.path != slip.file for edit in fix.edits):
        return OTHER
    text = apply_edits(slip.after, fix.edits)
    if ast.dump(ast.parse(text)) == ast.dump(ast.parse(slip.before)):
        return EQUAL
    if not slip.healthy:
        return NOT_RUN
    verdicts = [_of_class(slip, name, text, root, runner) for name in slip.healthy]
    return next(one for one in (STILL_RAISES, STILL_DIFFERS, OTHER, SAME_FORM, EQUIVALENT) if one in verdicts)


def _of_class(slip: Slip, name: str, text: str, root: Path, runner: Runner) -> str:
    """What a repair makes of a class that runs in the unchanged program."""
    before = slip.healthy[name]
    after = runner.run(root, slip.file, text, name, before["recipe"])
    if "error" in after:
        return STILL_RAISES
    if outcome(after) == outcome(before):
        return EQUIVALENT
    if slip.proof == DIFFERS and outcome(runner.run(root, slip.file, slip.after, name, before["recipe"])) == outcome(after):
        return STILL_DIFFERS
    return SAME_FORM if _form(after) == _form(before) else OTHER


def _form(answer: Answer) -> object:
    return answer["shapes"], sorted(shape for _, shape, _ in answer["weights"])
