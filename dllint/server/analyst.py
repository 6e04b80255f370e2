"""The analysis process's view of the workspace: open buffers, one session per folder, the last analysis of each file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from dllint.analysis.architecture.outline import outline
from dllint.analysis.architecture.outlined import Outline
from dllint.config.discovery import Configuration
from dllint.config.options import Settings
from dllint.config.targets import Targets
from dllint.edit import Edit, Fix
from dllint.engine.analysis import Analysis
from dllint.engine.cells import fixing_cell
from dllint.engine.figures import Figures
from dllint.engine.files import is_excluded
from dllint.engine.fixing import fix_document
from dllint.engine.followed import figures_in
from dllint.engine.homes import FilePolicies
from dllint.engine.reading import Source, too_large
from dllint.engine.registry import catalogue
from dllint.engine.relevant import is_relevant
from dllint.engine.results import Notice
from dllint.engine.session import Session, syntax_errors
from dllint.engine.unsupported import as_information
from dllint.finding import Finding
from dllint.fixes.suppression import ignore_comment, ignore_file_comment
from dllint.ir.printer import Printer
from dllint.server.attempts import Attempts
from dllint.server.dimming import Baselines
from dllint.server.messages import Buffer, Checked, Fixed, FolderOptions, Known, ModelTest, Proved
from dllint.server.model_test_text import model_test
from dllint.server.pages import Pages
from dllint.server.places import known_places
from dllint.server.sessions import Sessions
from dllint.server.why import View, why_page
from dllint.source.document import Document
from dllint.source.lazy import LazyDocument
from dllint.source.notebook import Notebook
from dllint.source.survey import foreign_frameworks


class _Shown(NamedTuple):
    """A finding as an editor shows it in a file, and as the analysis has it: it may stand in another file, to which a call in
    this one leads."""

    here: Finding
    found: Finding


@dataclass(slots=True)
class _File:
    """An open file: its buffer, the document of its last check, what that check found, and in which version;
    ``findings`` are those that the editor was given, by number."""

    buffer: Buffer
    #: Whose module the buffer is.
    notebook: Notebook | None = None
    document: Document | None = None
    analysis: Analysis | None = None
    checked: int | None = None
    findings: tuple[_Shown, ...] = ()
    #: The version that importing files have seen.
    announced: int | None = None


@dataclass(slots=True)
class Analyst:
    """Answers questions about open files. ``checkpoint`` is called every now and then and may raise to stop the work."""

    checkpoint: Callable[[], None]
    pages: Pages
    attempts: Attempts
    _files: dict[Path, _File] = field(default_factory=dict)
    _baselines: Baselines = field(default_factory=Baselines)
    _sessions: Sessions = field(init=False)
    #: What was said of configurations.
    _said: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._sessions = Sessions(self.checkpoint, self._read)

    def configure(self, folders: Iterable[FolderOptions]) -> None:
        """Start anew under other options."""
        self._sessions.configure(folders)
        for file in self._files.values():
            file.analysis = file.checked = None

    def buffer(self, buffer: Buffer, notebook: Notebook | None = None) -> None:
        """Use an editor's text of a file, or the module of a notebook."""
        file = self._files.setdefault(buffer.path, _File(buffer))
        file.buffer, file.notebook = buffer, notebook

    def targets(self, path: Path) -> Targets:
        """The releases that a file is for.

        Raises:
            ConfigError: the configuration that holds for the file cannot be used.
        """
        return self._sessions.of(path).targets(path)

    def configuration(self, path: Path) -> Configuration:
        """The configuration that holds in the innermost folder of a file.

        Raises:
            ConfigError: it cannot be used.
        """
        return self._sessions.of(path).configuration

    def _refused(self, settings: Settings, path: Path) -> Iterator[Notice]:
        """What of the configuration does not hold, said once."""
        for text in settings.refused:
            if text not in self._said:
                self._said.add(text)
                yield Notice("ignored", path, text)

    def close(self, path: Path) -> None:
        """Use the file on disk again."""
        if self._files.pop(path, None) is not None:
            for session in self._sessions:
                session.revise(path)
                session.forget(path)

    def touch(self, paths: Iterable[Path]) -> None:
        """Read files anew that are not open."""
        for path in paths:
            if path not in self._files:
                for session in self._sessions:
                    session.refresh(path)

    def check(self, path: Path) -> tuple[Checked, Callable[[], Known] | None]:
        """The findings in an open file, and a way to what is known at its places; no way if nothing of it parses.

        Raises:
            ConfigError: the configuration that holds for the file cannot be used, and none could be before.
        """
        file = self._files[path]
        buffer = file.buffer
        skipped = self._skipped(file)
        if skipped is not None or not is_relevant(path, buffer.text):
            findings = tuple(map(as_information, syntax_errors(path, buffer.text))) if skipped is None else ()
            file.analysis, file.document = None, None
            answer = Checked(path, buffer.version, findings, notices=skipped or (), complaints=self._sessions.complaints())
            foreign = dict.fromkeys(foreign_frameworks(buffer.text), 1) if skipped is None else {}
            figures = Figures(foreign=foreign, skipped=len(skipped or ()))
            return answer, lambda: Known.of(path, buffer.version, (), figures)
        self._bring_up_to_date(except_for=path)
        session = self._sessions.of(path)
        file.document = self._document(file)
        file.checked, file.analysis = buffer.version, session.analyser(path).analyse(file.document)
        analysis = file.analysis
        settings = session.configuration.for_file(path)
        file.findings = tuple(self._shown(path, session, settings, analysis))
        findings = tuple(shown.here for shown in file.findings)
        pages: dict[str, str] = {}
        for code in {finding.code for finding in findings}:
            with self.attempts.attempt(f"the page of {code} cannot be shown"):
                pages[code] = self.pages.address(code)
        notices = (*self._refused(settings, path), *analysis.notices)
        answer = Checked(path, buffer.version, findings, pages, notices, self._sessions.complaints())
        if analysis.document.problem is not None and not analysis.programs:
            return answer, None
        return answer, partial(self._known, path, buffer.version, analysis)

    def _known(self, path: Path, version: int, analysis: Analysis) -> Known:
        """What an analysis knows beside its findings."""
        failed = int(any(not notice.expected for notice in analysis.notices))
        figures = figures_in(path, analysis.followed) + Figures(failed=failed)
        places = known_places(analysis, self.pages, self.checkpoint, self.attempts)
        outlined: Outline | None = None
        with self.attempts.attempt(f"{path}: models"):
            outlined = outline(analysis.home, analysis.programs)
        return Known.of(path, version, places, figures, {None: outlined} if outlined is not None else None)

    def _shown(self, path: Path, session: Session, settings: Settings, analysis: Analysis) -> Iterator[_Shown]:
        """What is shown in a file: its findings, known ones as hints, and at its calls those in other files."""
        policies = FilePolicies(session.configuration)
        dimmed: Sequence[Finding] = analysis.findings
        with self.attempts.attempt(f"{path}: the baseline could not be applied"):
            dimmed = self._baselines.dim(path, analysis.document.text, analysis.findings, settings, self._files[path].notebook)
        for found, finding in zip(analysis.findings, dimmed, strict=True):
            here: Finding | None = None
            with self.attempts.attempt(f"{path}: a finding of {found.code} could not be placed"):
                wanted = as_information(finding) if found.location.path == path else policies.applied(finding)
                here = wanted.seen_from(path) if wanted is not None else None
            if here is not None:
                yield _Shown(here, found)

    def prove(self, path: Path, version: int, numbers: Iterable[int]) -> Proved:
        """The fixes of some findings that pass the gate; none if the file has been checked in another version since, or does
        not parse."""
        file = self._files.get(path)
        if file is None or file.analysis is None or file.checked != version or file.analysis.document.problem is not None:
            return Proved(path, version)
        analysis, session = file.analysis, self._sessions.of(path)
        fixes: dict[int, tuple[Fix, ...]] = {}
        comments: dict[int, Edit] = {}
        file_comments: dict[int, Edit] = {}
        for number in (number for number in numbers if 0 <= number < len(file.findings)):
            here, found = file.findings[number]
            before, fixes[number] = len(analysis.notices), ()
            with self.attempts.attempt(f"{path}: the fixes of {found.code} could not be tried"):
                fixes[number] = session.fixes_for(analysis, found)
            for notice in analysis.notices[before:]:
                self.attempts.notify(str(notice))
            with self.attempts.attempt(f"{path}: no comment could be made that silences {found.code}"):
                place = here.location.span
                if found.code in catalogue().entries:
                    comment = ignore_comment(analysis.document, place, found.code)
                    comments |= {number: comment} if comment is not None else {}
                    if found.location.path == path:  # comments of a file count for what stands in it
                        file_comments[number] = ignore_file_comment(analysis.document, found.code)
        return Proved(path, version, fixes, comments, file_comments)

    def fix_all(self, path: Path, version: int, cell: int | None = None) -> Fixed | None:
        """The text with every fix applied that may be applied unasked, of a notebook's module also only in a cell; ``None`` if
        the file is not open in that version."""
        file = self._files.get(path)
        if file is None or file.buffer.version != version:
            return None
        text = file.buffer.text
        if self._skipped(file) is not None or not is_relevant(path, text):
            return Fixed(path, version, text)
        session = self._sessions.of(path)
        self._bring_up_to_date(except_for=path)
        document = file.document = self._document(file)
        settings = session.configuration.for_file(path)
        analyse = session.gated(path) if cell is None else fixing_cell(session.gated(path), cell)
        try:
            result = fix_document(document, analyse, session.allowance(settings))
        finally:
            session.revise(path)  # the fixed text was only tried
        for notice in (*result.failures, *(notice for notice in result.analysis.notices if not notice.expected)):
            self.attempts.notify(str(notice))
        return Fixed(path, version, result.analysis.document.text)

    def analysis_of(self, path: Path) -> Analysis | None:
        """The last analysis of an open file."""
        file = self._files.get(path)
        return file.analysis if file is not None else None

    def why(self, path: Path, version: int, number: int, view: View | None = None) -> str:
        """The page about a finding, empty if the file has been checked in another version since; ``view`` says how places in
        the file are shown."""
        file = self._files.get(path)
        if file is None or file.analysis is None or file.checked != version or not 0 <= number < len(file.findings):
            return ""
        view = view or View(lambda location: location, lambda path, _: self._read(path).text)
        return why_page(file.analysis, file.findings[number].here, view)

    def model_test(self, path: Path, name: str) -> ModelTest:
        """A test of the architecture of a class of an open file."""
        file = self._files.get(path)
        if file is None or file.notebook is not None or self._skipped(file) is not None:
            return ModelTest("", "the file is not analysed")
        configuration, text = self._sessions.of(path).configuration, file.buffer.text

        def analyse(added: str) -> Analysis:
            session = Session(configuration, checkpoint=self.checkpoint, read=self._read, architectures=True)
            return session.analyser(path).analyse(Document.in_parts(path, f"{text}\n{added}"))

        is_current = file.analysis is not None and file.checked == file.buffer.version
        return model_test(path, name, file.analysis if is_current else analyse(""), analyse)

    def show(self, path: Path) -> str:
        """The traced programs of an open file in their text form."""
        file = self._files.get(path)
        analysis = file.analysis if file is not None else None
        if analysis is None:
            return ""
        return "\n".join(Printer().program(program) for program in analysis.programs)

    def skips(self, path: Path) -> bool:
        """Whether an open file is not to be analysed at all."""
        return self._skipped(self._files[path]) is not None

    def _skipped(self, file: _File) -> tuple[Notice, ...] | None:
        """Why a file is not to be analysed at all; an excluded one is left alone silently."""
        buffer = file.buffer
        configuration = self._sessions.of(buffer.path).configuration
        if is_excluded(buffer.path, configuration):
            return ()
        settings = configuration.for_file(buffer.path)
        size = len(buffer.text.encode("utf-8", "surrogatepass")) if file.notebook is None else len(buffer.text)
        reason = too_large(Source(buffer.text, "utf-8"), size, settings)
        return (Notice("skipped", buffer.path, reason),) if reason else None

    def _document(self, file: _File) -> Document:
        buffer = file.buffer
        if file.document is not None:
            return file.document.edit(buffer.text)
        return Document.in_parts(buffer.path, buffer.text)

    def _bring_up_to_date(self, except_for: Path) -> None:
        """Let importing files see the buffers as they are."""
        for path, file in self._files.items():
            if path != except_for and file.announced != file.buffer.version:
                file.announced = file.buffer.version
                for session in self._sessions:
                    session.revise(path)

    def _read(self, path: Path) -> Document:
        """The document of an imported file: the editor's text if it is open, else the one on disk."""
        file = self._files.get(path)
        return LazyDocument.open(path) if file is None else LazyDocument.from_text(path, file.buffer.text)
