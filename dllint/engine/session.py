"""The façade: a file, or a text in its place, to its result; keeps what the files of a run have in common."""

from __future__ import annotations

import errno
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from dllint.config.discovery import Configuration
from dllint.config.errors import ConfigError
from dllint.config.options import Settings
from dllint.config.release_files import may_decide
from dllint.config.targets import Projects, Targets
from dllint.edit import Applicability, Fix
from dllint.engine.analysis import Analyser, Analysis
from dllint.engine.apply import StaleFileError, write_atomically
from dllint.engine.cells import Cells
from dllint.engine.dependencies import Dependencies, Facts, digest_of
from dllint.engine.dispatch import Dispatcher, Raw
from dllint.engine.failing import crash, described, failing
from dllint.engine.files import is_excluded
from dllint.engine.fixing import Allowed, allowance, fix_document
from dllint.engine.followed import Followed
from dllint.engine.gate import Analyse, Gate
from dllint.engine.outside import IsInstalled
from dllint.engine.python2 import tell_once
from dllint.engine.reading import LARGEST_NOTEBOOK, Source, read_source, too_large
from dllint.engine.refine import Policy
from dllint.engine.registry import catalogue, rows_of, rule
from dllint.engine.relevant import is_relevant
from dllint.engine.repairing import repairs, with_repairs
from dllint.engine.results import IO_ERROR, SYNTAX_ERROR, FileResult, Notice, problem
from dllint.engine.tracing import Read, Tracer
from dllint.engine.unsupported import absence, tell_of_cell_scripts, tell_of_limits
from dllint.finding import Finding
from dllint.lower.graphs.formats import format_of
from dllint.lower.options import Checkpoint, StoppedError
from dllint.source import definitions, uses
from dllint.source.document import Document
from dllint.source.lazy import LazyDocument
from dllint.source.notebook import LostCellsError, NotebookFile
from dllint.source.notebook_names import SUFFIX
from dllint.source.observed import Searched, State, observing, state_of
from dllint.source.parse import SyntaxProblem, parse, syntax_problem
from dllint.source.regular import read_regular
from dllint.source.room import has_room_for
from dllint.source.survey import foreign_frameworks

#: Recursion of the analyser is bounded by its own budgets; Python's default limit would cut honest code short.
_RECURSION_LIMIT: Final = 12_000


@dataclass(slots=True)
class Session:
    """Checks files under a configuration. ``remember`` keeps what was traced, for those who ask again (an editor), and goes on
    where a text does not parse; ``checkpoint`` is called every now and then while tracing; it may raise to stop the work.
    ``read`` gives the documents of imported files. ``track`` notes what the results of files depend on, so that they can be
    kept. ``architectures``: models of libraries are followed in their source (``lower/options.py``)."""

    configuration: Configuration
    remember: bool = False
    checkpoint: Checkpoint | None = None
    read: Read = LazyDocument.open
    track: bool = False
    architectures: bool = False
    _facts_under: dict[Settings, Facts] = field(default_factory=dict)
    _states: dict[Searched, State] = field(default_factory=dict)
    _dispatchers: dict[frozenset[str], Dispatcher] = field(default_factory=dict)
    _tracers: dict[Settings, Tracer] = field(default_factory=dict)
    _analysers: dict[Path, Analyser] = field(default_factory=dict)
    _owned: dict[Path, bool] = field(default_factory=dict)
    _projects: Projects = field(default_factory=Projects)

    def __post_init__(self) -> None:
        uses.forget()  # files may have changed since an earlier session of this process searched them
        definitions.forget()

    def check_file(self, path: Path, *, fix: bool = False, write: bool = False) -> FileResult:
        """Check a file. ``fix`` applies its allowed fixes to the text, ``write`` also writes the file.

        Raises:
            ConfigError: the configuration that holds for the file cannot be used.
        """
        try:
            return self._check_file(path, fix, write)
        except ConfigError:
            raise
        except Exception as error:  # a bug of ours in one file must not keep the others from being checked
            return FileResult(path, notices=[crash(path, "the file could not be checked", error)])

    def _check_file(self, path: Path, fix: bool, write: bool) -> FileResult:
        if (form := format_of(path)) is not None:
            from dllint.engine.graphs import check_graph

            return check_graph(path, form, self.analyser(path))
        try:
            data = self._data(path)
        except OSError as error:
            if error.errno == errno.EFBIG:
                return FileResult(path, notices=[Notice("skipped", path, f"{error.strerror}, see max-file-size")])
            return FileResult(path, [problem(IO_ERROR, path, 1, 1, f"cannot be read: {error.strerror or error}")])
        reads = self.tracer(self.configuration.for_file(path)).reads if self.track else None
        if reads is not None:
            reads.begin()
        with observing() as observed:
            result = self.check_bytes(path, data, fix=fix)
        with failing(result, "what the result depends on could not be told, so it is not kept"):
            if reads is not None and not result.lacked_memory:
                states = tuple(map(self._state_of, observed.trees))
                answers = tuple(observed.answers.values())
                asked = dict.fromkeys(place for answered in answers for place in answered.places)
                result.dependencies = Dependencies(
                    digest_of(data),
                    self._facts(path),
                    reads.files(),
                    reads.only_searched(),
                    states,
                    answers,
                    tuple(map(self._state_of, asked)),
                )
        with failing(result, "what was remembered of the file could not be forgotten"):
            if write and result.data is not None:
                _write(result, data)
                self.tracer(self.configuration.for_file(path)).refresh(path)
        return result

    def check_bytes(self, path: Path, data: bytes, *, fix: bool = False) -> FileResult:
        """Check a text in place of a file's content (see :meth:`check_file`)."""
        settings = self.configuration.for_file(path)
        if reason := absence(path, data):
            return FileResult(path, notices=[Notice("skipped", path, reason)])
        try:
            source = read_source(path, data)
        except Exception as error:
            return FileResult(path, notices=[crash(path, "the file could not be read", error)])
        if isinstance(source, Finding):
            return FileResult(path, [source])
        result = FileResult(path, before=source.text, after=source.text, encoding=source.encoding)
        reason = too_large(source, len(data), settings)
        if reason:
            result.notices.append(Notice("skipped", path, reason))
            return result
        try:
            with failing(result, "the file could not be analysed"):
                self._check_text(result, settings, fix)
        except StoppedError:  # by the run, which tells why
            result.after = result.before
            result.fixed.clear()
        with failing(result, "the findings could not be told in terms of cells"):
            _put_back(result, source)
        with failing(result, "the releases that the file is for could not be found out"):
            tell_once(result, None if source.notebook is None else source.notebook.notebook, self.targets(path))
        with failing(result, "what cannot be read could not be told"):
            tell_of_limits(result)
            tell_of_cell_scripts(result)
        for directory, failure in self._projects.failures:
            result.notices.append(crash(directory, "what it says of releases could not be read", failure))
        self._projects.failures.clear()
        return result

    def _data(self, path: Path) -> bytes:
        """The content of a file that is not too large to be looked at; pictures in a notebook may be large. Raises OSError."""
        limit = self.configuration.for_file(path).max_file_size
        return read_regular(path, limit if path.suffix != SUFFIX else max(limit, LARGEST_NOTEBOOK))

    def _facts(self, path: Path) -> Facts:
        """What the analyses under the settings of a file ask of other files; shared by their results."""
        settings = self.configuration.for_file(path)
        if settings not in self._facts_under:
            tracer = self.tracer(settings)
            self._facts_under[settings] = Facts.of(tracer.workspace.resolver, tracer.reads.seen)
        return self._facts_under[settings]

    def _state_of(self, place: Searched) -> State:
        if place not in self._states:
            self._states[place] = state_of(place)
        return self._states[place]

    def fixes_for(self, analysis: Analysis, finding: Finding) -> tuple[Fix, ...]:
        """The fixes of one of an analysis's findings that pass the gate, tried when they are first asked for.

        None, if the analysis of another text of the file has begun since: the fixes are tried on the present one; or if the
        text does not parse.
        """
        if analysis.document.problem is not None:
            return ()
        if finding in analysis.comments:
            return finding.fixes
        known = analysis.proved.get(finding)
        if known is not None or not analysis.is_present:
            return known or ()
        raws = [raw for raw in analysis.raws if raw.finding == finding]
        gate = Gate(analysis, self._trial(self.analyser(analysis.document.path)))
        known = analysis.proved[finding] = repairs(gate, raws[0]) if raws else ()
        analysis.notices += gate.failures
        return known

    def analyser(self, path: Path) -> Analyser:
        """What analyses the documents of a path.

        Raises:
            ConfigError: the configuration that holds for the file cannot be used.
        """
        known = self._analysers.get(path)
        if known is None:
            known = self._make_analyser(path)
            if self.remember:
                self._analysers[path] = known
        return known

    def _make_analyser(self, path: Path) -> Analyser:
        settings = self.configuration.for_file(path)
        rules = catalogue()
        selection = self.configuration.selection(settings, rules)
        ignored = rules.ignored_in(path, settings)
        policy = Policy(selection, rules, ignored, settings.min_confidence, self.targets(path))
        dispatcher = self._dispatcher(selection.codes - ignored)
        is_installed = self.tracer(settings).workspace.is_installed
        is_own = partial(self._is_own, is_installed)
        trace = self.tracer(settings).trace
        return Analyser(trace, dispatcher, policy, settings, is_own, goes_on=self.remember, is_installed=is_installed)

    def _is_own(self, is_installed: IsInstalled, path: Path) -> bool:
        """Whether a file that a checked one leads to belongs to the project."""
        if path not in self._owned:
            self._owned[path] = not is_installed(path) and not is_excluded(path, self.configuration)
        return self._owned[path]

    def targets(self, path: Path) -> Targets:
        """The releases that a file is for."""
        settings = self.configuration.for_file(path)
        return Targets(path, settings.target, self.configuration.stated_by(settings), self._projects)

    def gated(self, path: Path) -> Analyse:
        """What analyses the documents of a path and leaves only the fixes that pass the gate (see :meth:`analyser`)."""
        return self._gated(self.analyser(path))

    def _gated(self, analyser: Analyser, *, searched: bool = False) -> Analyse:
        strict = replace(analyser, goes_on=False) if analyser.goes_on else analyser
        return _Gated(strict.analyse, self._trial(strict), searched).analyse

    def allowance(self, settings: Settings) -> Allowed:
        """Which fix of a finding may be applied unasked under some settings.

        Raises:
            ConfigError: `fixable` or `unfixable` name no rule.
        """
        return allowance(self.configuration.fixable(settings, catalogue()), unsafe=settings.unsafe_fixes)

    def _trial(self, analyser: Analyser) -> Analyse:
        """What analyses an edited text that is only tried."""
        return replace(analyser, trace=self.tracer(analyser.settings).trace_apart, goes_on=False).analyse

    def revise(self, path: Path) -> None:
        """An open file has another text, or is no longer open."""
        for tracer in self._tracers.values():
            tracer.revise(path)

    def refresh(self, path: Path) -> None:
        """A file was changed, created or deleted outside."""
        uses.forget()
        definitions.forget()
        if may_decide(path.name):
            self._projects = Projects()
            self._analysers.clear()
        for tracer in self._tracers.values():
            tracer.refresh(path)

    def forget(self, path: Path) -> None:
        """Free what is remembered about a document."""
        self._analysers.pop(path, None)
        for tracer in self._tracers.values():
            tracer.forget(path)

    def tracer(self, settings: Settings) -> Tracer:
        """What traces the documents under some settings; it keeps their workspace."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
        if settings not in self._tracers:
            self._tracers[settings] = Tracer(
                settings,
                remember=self.remember,
                checkpoint=self.checkpoint,
                read=self.read,
                architectures=self.architectures,
            )
        return self._tracers[settings]

    def _dispatcher(self, codes: frozenset[str]) -> Dispatcher:
        if codes not in self._dispatchers:
            self._dispatchers[codes] = Dispatcher(rows_of(codes), rule)
        return self._dispatchers[codes]

    def _check_text(self, result: FileResult, settings: Settings, fix: bool) -> None:
        path, text = result.path, result.before
        analyser = self.analyser(path)  # a configuration that cannot be used must not pass unseen
        if not is_relevant(path, text):
            result.findings, result.followed = syntax_errors(path, text), Followed(foreign=foreign_frameworks(text))
            return
        if not has_room_for(text):
            result.notices.append(Notice("skipped", path, "it needs more memory than there is, see max-memory"))
            result.lacked_memory = True
            return
        document = self.tracer(settings).open(path, text, result.encoding)
        analyse = self._gated(analyser, searched=fix and settings.unsafe_fixes)
        if fix:
            fixed = fix_document(document, analyse, self.allowance(settings))
            result.after, result.fixed, analysis = fixed.analysis.document.text, fixed.fixed, fixed.analysis
            result.notices += fixed.failures
        else:
            analysis = analyse(document)
        result.findings, result.notices = analysis.findings, [*result.notices, *analysis.notices]
        result.decided = analysis.decided
        with failing(result, "what was followed could not be counted"):
            result.followed = analysis.followed


@dataclass(frozen=True, slots=True)
class _Gated:
    """Analyses a document and leaves the fixes that pass the gate; ``trial`` analyses the edited texts. ``searched``: repairs
    of faults are searched, too (:mod:`dllint.engine.repairing`)."""

    whole: Analyse
    trial: Analyse
    searched: bool = False

    def analyse(self, document: Document) -> Analysis:
        analysis = self.whole(document)
        if not self.searched and not any(raw.finding.fixes for raw in analysis.raws):
            return analysis
        gate = Gate(analysis, self.trial)
        try:
            approved = with_repairs(gate, analysis.raws) if self.searched else gate.approve(analysis.raws)
            return replace(analysis, raws=approved, notices=[*analysis.notices, *gate.failures])
        except StoppedError:
            return replace(analysis, raws=list(map(_without_fixes, analysis.raws)))
        except Exception as error:  # a fix that cannot be tried is not offered, and takes no finding with it
            failed = crash(document.path, "the fixes could not be tried", error)
            notices = [*analysis.notices, *gate.failures, failed]
            return replace(analysis, raws=list(map(_without_fixes, analysis.raws)), notices=notices)


def _without_fixes(raw: Raw) -> Raw:
    sketches = tuple(fix for fix in raw.finding.fixes if fix.applicability is Applicability.DISPLAY)
    return replace(raw, finding=replace(raw.finding, fixes=sketches))


def syntax_errors(path: Path, text: str) -> list[Finding]:
    """The syntax error of a file that is not analysed. The running interpreter may be older than the file's grammar, so
    the parser has the last word."""
    if syntax_problem(text) is None:
        return []
    parsed = parse(text)
    if not isinstance(parsed, SyntaxProblem):
        return []
    return [problem(SYNTAX_ERROR, path, parsed.line, parsed.column, parsed.message)]


def _put_back(result: FileResult, source: Source) -> None:
    """Make the file's new content of the fixed text, and give findings in a notebook in terms of its cells."""
    if result.after != result.before:
        try:
            result.data = source.data(result.after)
        except UnicodeEncodeError:
            _leave(result, f"the fixed text cannot be encoded as {result.encoding}")
        except LostCellsError as error:
            _leave(result, str(error))
        except Exception as error:  # of ours
            _leave(result, f"the fixed text has no form on disk: {described(error)}")
    if source.notebook is None:
        return
    notebook = source.notebook.notebook
    if result.data is not None:
        notebook = NotebookFile(result.data.decode(result.encoding)).notebook
    result.cells, cells, found = notebook.texts, Cells(result.path, notebook), result.findings
    result.findings = list(cells.broken())
    for finding in found:
        with failing(result, f"a finding of {finding.code} could not be told in terms of its cell"):
            result.findings.append(cells.finding(finding))


def _write(result: FileResult, data: bytes) -> None:
    """Write the fixed file, or say why not."""
    if result.data is None:
        return
    try:
        write_atomically(result.path, result.data, expected=data)
        return
    except StaleFileError:
        reason = "it changed while it was being checked"
    except OSError as error:
        reason = error.strerror or str(error)
    except Exception as error:  # of ours: the file is as it was
        reason = described(error)
    _leave(result, reason)


def _leave(result: FileResult, reason: str) -> None:
    """The file stays as it was."""
    result.notices.append(Notice("not-written", result.path, reason))
    result.after, result.data = result.before, None
    result.fixed.clear()
