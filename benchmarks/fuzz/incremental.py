"""Random edits of public files in one process: after each, programs and findings are those of a fresh start.

Files are visited in random order, each in its checkout, so that what it imports from there is loaded. All rules are asked.
Where a text does not parse, nothing is compared (the editor goes on from the last good one), but the edit counts for what
follows. ``compared`` says how many states were compared with a fresh start, ``edits`` how many the remembering session saw.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.editor.model_edits import model_file
from benchmarks.fuzz.code_edits import code_edit
from benchmarks.fuzz.corpus import tensor_code
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble
from dllint.config.discovery import Configuration
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.ir.printer import Printer
from dllint.source.document import Document

#: Edits of one file before the next one is opened, which a file that takes long gets sooner.
_PER_FILE: Final = 40
_CPU_S_PER_FILE: Final = 10.0
#: How often the text is what it was at first again, how often a state is compared.
_BACK: Final = 0.25
_COMPARED: Final = 0.6
#: A text that does not parse is soon mended.
_MENDED: Final = 0.6


def run(options: Options) -> Report:
    """Make ``count`` edits."""
    report = Report("incremental", options.seed)
    if options.peers is None:
        report.absent.append("public files (--peers)")
    with tempfile.TemporaryDirectory() as folder:
        for path in options.timely(_files(options, Path(folder))):
            if report.counts["edits"] >= options.count:
                break
            _Edited(path, report, options).run()
    return report


def _files(options: Options, folder: Path) -> Iterator[Path]:
    if options.peers is not None:
        yield from tensor_code(options.peers, Random(options.seed))
    own = folder / "models.py"
    own.write_text(model_file(80))
    while True:
        yield own


@dataclass(slots=True)
class _Edited:
    """One file whose text is edited in memory."""

    path: Path
    report: Report
    options: Options
    seed: str = field(init=False)
    random: Random = field(init=False)
    remembering: Session = field(init=False)

    def run(self) -> None:
        """Edit, and compare now and then."""
        self.report.counts["files"] += 1
        self.seed = f"{self.options.seed}.{self.report.counts['files']}"
        self.random, self.remembering = Random(self.seed), self._session(remember=True)
        first = Document.open(self.path)
        document, end = first, time.process_time() + _CPU_S_PER_FILE
        for number in range(min(_PER_FILE, self.options.count - self.report.counts["edits"])):
            if self.options.is_over or time.process_time() > end:
                return
            is_back = self.random.random() < (_BACK if document.problem is None else _MENDED)
            document = document.edit(first.text if is_back else code_edit(document.text, self.random))
            self.report.counts["edits"] += 1
            if not self._is_as_fresh(document, number):
                return
            self.report.progress()

    def _session(self, *, remember: bool) -> Session:
        overrides = {"root": self.path.parent, "select": ("ALL",)}
        return Session(Configuration(overrides=overrides, isolated=True), remember=remember)

    def _is_as_fresh(self, document: Document, number: int) -> bool:
        try:
            remembered = self.remembering.analyser(self.path).analyse(document)
            if document.problem is not None or self.random.random() > _COMPARED:
                return True
            text = Document.from_text(self.path, document.text)
            fresh = self._session(remember=False).analyser(self.path).analyse(text)
        except Exception as error:
            return self._trouble("exception", number, f"{type(error).__name__}: {error}", document)
        self.report.counts["compared"] += 1
        self.report.counts["findings compared"] += len(fresh.findings)
        for kind, one, other in zip(("findings", "programs"), _shown(remembered), _shown(fresh), strict=True):
            if one != other:
                return self._trouble(kind, number, _difference(one, other), document)
        return True

    def _trouble(self, kind: str, number: int, detail: str, document: Document) -> bool:
        seed = f"{self.seed} edit {number} of {self.path.relative_to(self.options.peers or self.path.parent)}"
        self.report.add(Trouble(kind, seed, detail, document.text.encode("utf-8", "replace")))
        return False


def _shown(analysis: Analysis) -> tuple[list[str], list[str]]:
    """All that can be told from an analysis: findings and notices, then programs with what is unknown in them."""
    found = [repr(one) for one in (*analysis.findings, *analysis.notices)]
    programs = [
        f"{Printer(with_events=True).program(program)}\n{[gap[:2] for gap in program.gaps]}" for program in analysis.programs
    ]
    return found, programs


def _difference(remembered: list[str], fresh: list[str]) -> str:
    """What only one of them has."""
    only = [f"only after edits: {one}" for one in remembered if one not in fresh]
    only += [f"only fresh: {one}" for one in fresh if one not in remembered]
    return "\n".join(only)[:8_000] or f"in another order: {remembered} and {fresh}"[:8_000]
