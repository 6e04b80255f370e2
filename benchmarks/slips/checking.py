"""What dllint says of a text in the place of a file, and which repair it offers."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from benchmarks.slips.running import Answer, Runner
from benchmarks.slips.seeding import Slip
from dllint.config.discovery import Configuration
from dllint.edit import Applicability, Fix, apply_edits
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.finding import Finding, Severity

_TOLD: Final = (Severity.ERROR, Severity.WARNING)

#: What a repair is: the unchanged program; one that runs and gives the same shapes and parameters; one that runs and gives
#: others; one that raises as before or elsewhere.
EQUAL, EQUIVALENT, OTHER, STILL_RAISES, NOT_RUN = "equal", "equivalent", "other", "still raises", "not run"


@dataclass(slots=True)
class Told:
    """New errors and warnings at a slip; new hints; the fixes offered for them with what each is."""

    findings: list[Finding] = field(default_factory=list)
    hints: list[Finding] = field(default_factory=list)
    fixes: list[tuple[Fix, str]] = field(default_factory=list)


class Checker:
    """Checks texts in the place of the files of a checkout."""

    def __init__(self) -> None:
        self._session = Session(Configuration(isolated=True))
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
        """What is said of a slip that is not said of the unchanged file."""
        before = self.clean(slip.file, slip.before)
        analysis = self.analysis(slip.file, slip.after)
        new = _new(before, analysis.findings, slip)
        out = Told([f for f in new if f.severity in _TOLD], [f for f in new if f.severity not in _TOLD])
        for finding in out.findings if fixes else ():
            for fix in self._session.fixes_for(analysis, finding):
                if fix.applicability is not Applicability.DISPLAY:
                    out.fixes.append((fix, judged(slip, fix, root, runner)))
        return out


def _new(before: Sequence[Finding], after: Sequence[Finding], slip: Slip) -> list[Finding]:
    """The findings that an unchanged file does not have, by rule and line."""
    lines = _moved(slip)
    old = Counter((f.code, lines.get(f.location.span.first.line, 0)) for f in before if f.location.path == slip.file)
    new: list[Finding] = []
    for finding in after:
        if finding.location.path != slip.file:
            continue
        key = finding.code, finding.location.span.first.line
        if old[key]:
            old[key] -= 1
        else:
            new.append(finding)
    return new


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
    verdict = EQUIVALENT
    for name, before in slip.healthy.items():
        after = runner.run(root, slip.file, text, name, before["recipe"])
        if "error" in after:
            return STILL_RAISES
        if _form(after) != _form(before):
            verdict = OTHER
    return verdict


def _form(answer: Answer) -> object:
    return answer["shapes"], sorted(shape for _, shape, _ in answer["weights"])
