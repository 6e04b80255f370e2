"""The work of ``dllint diagnose`` after the command line is read."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from time import time
from typing import Any, Final

from dllint.cli.applying import apply_confirmed
from dllint.cli.failures import UNUSABLE, Failure, say
from dllint.cli.live import live
from dllint.cli.testing import check_place, write_tests
from dllint.config.discovery import Configuration
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.findings import Read
from dllint.diagnose.headline import closing
from dllint.diagnose.launch import Program
from dllint.diagnose.layer_table import layer_table
from dllint.diagnose.limits import Limits
from dllint.diagnose.page.page import page
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.ranks.team import is_launched, launched_team
from dllint.diagnose.record_file import written
from dllint.diagnose.session import Request, diagnose
from dllint.diagnose.stream import EventStream
from dllint.diagnose.tensorboard.scalars import write_run
from dllint.diagnose.treatment import treat
from dllint.diagnose.trials.counterfactual import Setting
from dllint.finding import Finding, Severity
from dllint.report.formats import render
from dllint.report.json import to_record
from dllint.report.listing import Listing
from dllint.report.repairs import repair_table

#: Formats that nothing else may be mixed with.
_FOR_PROGRAMS: Final = ("json", "html")
#: Of tables that are not written to a terminal.
_WIDTH: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one run."""

    device: str
    max_steps: int | None
    max_seconds: float | None
    max_memory: int | None
    max_gpu_memory: int | None
    force_eager: bool
    output_format: str
    output_file: Path | None
    html: Path | None
    tensorboard: Path | None
    record: Path | None
    events: Path | None
    color: str
    quiet: bool
    replay: bool
    replay_seconds: float
    apply: bool
    layers: bool
    write_tests: Path | None
    overwrite: bool


def run(program: Program, options: Options) -> int:
    """Check the program, run it, report; the exit status.

    Raises:
        Failure: there is no such program, or a file cannot be written.
    """
    source = _source(program)
    if source is None:
        raise Failure(f"no such {'module' if program.is_module else 'file'}: {program.target}")
    if options.write_tests is not None:
        check_place(options.write_tests, overwrite=options.overwrite)
    # The program may go to another directory.
    read = cache(_read)  # the texts that ran, whatever becomes of the files
    report = _Report(options, Path.cwd(), read)
    with ExitStack() as files:
        events = files.enter_context(EventStream(_opened(for_rank(options.events)))) if options.events is not None else None
        shown = files.enter_context(live(not options.quiet and not is_launched()))
        files.enter_context(_output_apart(options))

        def last_words(diagnosis: Diagnosis) -> int:
            shown("ended", None)
            return report.write(diagnosis, events)

        def listener(event: str, record: Any) -> None:
            shown(event, record)
            if events is not None:
                events.tell(event, record)

        limits = Limits(options.max_steps, options.max_seconds, options.max_memory, options.max_gpu_memory)
        probing = ProbeOptions(options.device, options.force_eager, thorough=options.write_tests is not None)
        known, folder = replace(program, source=source.absolute()), os.getcwd()
        request = Request(known, _checked(source), read, limits, probing)
        diagnosis = diagnose(request, listener, last_words)
        wrote = _wrote_tests(diagnosis, program, Path(folder), options)
        if options.replay and not is_launched():
            setting = Setting(known, folder, options.device, read)
            diagnosis = treat(diagnosis, setting, request.static, options.replay_seconds, listener)
            if options.apply:
                shown("applying", None)
                diagnosis = apply_confirmed(diagnosis, setting, options.replay_seconds)
        status = last_words(diagnosis)
        if wrote:
            say(f"dllint: {wrote}.")
        return status


def _wrote_tests(diagnosis: Diagnosis, program: Program, folder: Path, options: Options) -> str:
    """What is to be said about the tests that were written; nothing if none were asked for."""
    if options.write_tests is None or _rank():
        return ""
    return write_tests(diagnosis, program, folder, options.write_tests)


def _source(program: Program) -> Path | None:
    """The file of the program, without importing anything."""
    if not program.is_module:
        path = Path(program.target)
        if path.is_dir() and not (path / "__main__.py").exists():
            raise Failure(f"{program.target} is a folder without a __main__.py")
        return path if path.exists() else None
    for entry in ("", *sys.path):
        base = Path(entry or Path.cwd(), *program.target.split("."))
        for path in (base.with_suffix(".py"), base / "__main__.py"):
            if path.is_file():
                return path
    return None


def _checked(source: Path) -> Sequence[Finding]:
    """What ``dllint check`` finds in the program."""
    from dllint.engine.run import FixMode, Plan, check_files

    if source.suffix != ".py":
        return ()
    results = check_files([source], Plan(Configuration(), FixMode.OFFER, 1, cache=False), lambda: None)
    return [finding for result in results for finding in result.findings]


def _read(path: Path) -> str:
    from dllint.source.encoding import UndecodableError, decode

    try:
        return decode(path.read_bytes())[0]
    except (OSError, UndecodableError):
        return ""


def _rank() -> int:
    """The number of this process among those of a launcher; the first one speaks for all."""
    return launched_team().rank


def for_rank(path: Path) -> Path:
    """The file that this process writes instead of ``path``: the first one's is ``path`` itself."""
    return path.with_stem(f"{path.stem}.rank{_rank()}") if _rank() else path


def _opened(path: Path) -> Any:
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise _unwritable(path, error) from error


def _place(base: Path, path: Path | None) -> Path | None:
    """Where a file will be written.

    Raises:
        Failure: its folder is missing, which is told before hours of training.
    """
    if path is None:
        return None
    place = base / for_rank(path)
    if not place.parent.is_dir():
        raise Failure(f"cannot write {path}: there is no folder {path.parent}")
    return place


def _unwritable(path: Path, error: OSError) -> Failure:
    return Failure(f"cannot write {path}: {error.strerror or error}")


@contextmanager
def _output_apart(options: Options) -> Iterator[None]:
    """While a program runs whose report goes to standard output as one document, what it prints goes to standard error. The
    report is written to the former standard output, which :class:`_Report` finds as ``sys.__stdout__``."""
    if options.output_format not in _FOR_PROGRAMS or options.output_file is not None:
        yield
        return
    sys.stdout.flush()
    real = os.dup(1)
    os.dup2(2, 1)
    sys.__stdout__ = os.fdopen(real, "w", encoding="utf-8")  # type: ignore[misc]
    try:
        yield
    finally:
        sys.__stdout__.flush()
        os.dup2(real, 1)


class _Report:
    """Writes the report of a run; paths are resolved when it is made."""

    def __init__(self, options: Options, base: Path, read: Read) -> None:
        self._options = options
        self._read = read
        self._streams = sys.stdout, sys.stderr
        self._base = base
        self._output, self._record, self._html = (
            _place(base, path) for path in (options.output_file, options.record, options.html)
        )
        self._tensorboard = base / options.tensorboard if options.tensorboard is not None else None

    def write(self, diagnosis: Diagnosis, events: EventStream | None) -> int:
        """Report, and give the exit status. The program may have replaced the standard streams."""
        with redirect_stdout(self._streams[0]), redirect_stderr(self._streams[1]):
            return self._written(diagnosis, events)

    def _written(self, diagnosis: Diagnosis, events: EventStream | None) -> int:
        listing = Listing(
            diagnosis.findings, lambda path, cell: self._read(path), base=self._base, color=self._color(), quiet=True
        )
        status = _status(diagnosis)
        if events is not None:
            events.send("findings", record=[to_record(finding, listing) for finding in diagnosis.findings])
            events.send("ended", ended=diagnosis.run.ended, status=status)
        if diagnosis.outcome.traceback:
            say(diagnosis.outcome.traceback.rstrip())
        if not _rank() or self._output is not None:
            self._print(self._rendered(diagnosis, listing), diagnosis)
        self._write_files(diagnosis)
        return status

    def _write_files(self, diagnosis: Diagnosis) -> None:
        if self._record is not None:
            with _opened(self._record) as stream:
                json.dump(written(diagnosis.run), stream, allow_nan=False)
        if self._html is not None:
            with _opened(self._html) as stream:
                stream.write(page(diagnosis, self._read, self._base))
        if self._tensorboard is not None and not _rank():
            try:
                write_run(diagnosis.run, self._tensorboard, time())
            except OSError as error:
                raise _unwritable(self._tensorboard, error) from error

    def _rendered(self, diagnosis: Diagnosis, listing: Listing) -> Iterator[str]:
        if self._options.output_format == "html":
            return iter([page(diagnosis, self._read, self._base).rstrip("\n")])
        lines = render(self._options.output_format, listing)
        if self._options.output_format != "full":
            return lines
        return chain(lines, self._table(listing), layer_table(diagnosis.run) if self._options.layers else ())

    def _table(self, listing: Listing) -> Iterator[str]:
        table = list(repair_table(listing, shutil.get_terminal_size((_WIDTH, 24)).columns))
        yield from [*table, ""] if table else table

    def _print(self, lines: Iterator[str], diagnosis: Diagnosis) -> None:
        told: Callable[[str], None] = say
        if self._output is not None:
            with _opened(self._output) as stream:
                stream.writelines(f"{line}\n" for line in lines)
        elif self._options.output_format in _FOR_PROGRAMS:
            for line in lines:
                print(line, file=sys.__stdout__, flush=True)
        else:
            for line in lines:
                print(line, flush=True)
            told = print
        for line in () if _rank() else closing(diagnosis):
            told(line)

    def _color(self) -> bool:
        if self._options.color != "auto":
            return self._options.color == "always"
        return self._output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _status(diagnosis: Diagnosis) -> int:
    """Under a launcher the program's own status; else 1 for findings that are no mere hints, 2 for a program that failed or did
    not train."""
    outcome = diagnosis.outcome
    if is_launched():
        return outcome.status
    if any(finding.severity.rank <= Severity.WARNING.rank for finding in diagnosis.findings):
        return 1
    failed = outcome.status != 0 and outcome.ended in ("error", "exit")
    return UNUSABLE if failed or not diagnosis.has_trained else 0
