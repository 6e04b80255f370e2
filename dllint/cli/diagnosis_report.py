"""Writing what ``dllint diagnose`` has found: to the terminal, and to all the files that were asked for.

A form of the report that cannot be made or written is reported on standard error; it costs none of the others.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from itertools import chain
from pathlib import Path
from time import time
from typing import IO, Final

from dllint.cli.diagnosis_options import Options
from dllint.cli.failures import UNUSABLE, Failure, say, say_lines
from dllint.cli.outputs import open_output
from dllint.diagnose.boundary import Failures
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.findings import Read
from dllint.diagnose.headline import closing
from dllint.diagnose.layer_table import layer_table
from dllint.diagnose.page.page import page
from dllint.diagnose.ranks.team import is_launched, launched_team
from dllint.diagnose.record_file import written
from dllint.diagnose.stream import EventStream
from dllint.diagnose.tensorboard.scalars import write_run
from dllint.finding import Finding, Severity
from dllint.report.formats import render
from dllint.report.json import to_record
from dllint.report.listing import Listing
from dllint.report.repairs import repair_table
from dllint.source.neutral import neutral_path

#: Formats that nothing else may be mixed with.
FOR_PROGRAMS: Final = ("json", "html")
#: Of tables that are not written to a terminal.
_WIDTH: Final = 128


class Report:
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
        failures = Failures(lambda text: say(f"error: {text}"))
        if events is not None:
            with failures.attempt("the end of the run was not told as events"):
                events.send("findings", record=[to_record(finding, listing) for finding in diagnosis.findings])
                events.send("ended", ended=diagnosis.run.ended, status=status)
        if diagnosis.outcome.traceback:
            say_lines(diagnosis.outcome.traceback.rstrip())
        closed: BrokenPipeError | None = None
        if not rank() or self._output is not None:
            with failures.attempt("the report was not written"):
                try:
                    self._print(self._lines(diagnosis, listing, failures), diagnosis)
                except BrokenPipeError as error:
                    # Whoever reads has seen enough; the files are wanted all the same.
                    closed = error
        self._write_files(diagnosis, failures)
        if closed is not None:
            raise closed
        return UNUSABLE if failures.any and not is_launched() else status

    def _write_files(self, diagnosis: Diagnosis, failures: Failures) -> None:
        if self._record is not None:
            with failures.attempt("the record was not written"):
                text = json.dumps(written(diagnosis.run), allow_nan=False)
                with opened(self._record) as stream:
                    stream.write(text)
        if self._html is not None:
            with failures.attempt("the page was not written"):
                text = page(diagnosis, self._read, self._base)
                with opened(self._html) as stream:
                    stream.write(text)
        if self._tensorboard is not None and not rank():
            with failures.attempt("the folder for TensorBoard was not written"):
                write_run(diagnosis.run, self._tensorboard, time())

    def _lines(self, diagnosis: Diagnosis, listing: Listing, failures: Failures) -> Sequence[str] | None:
        """The report; where a form for people cannot be made, a line for each finding."""
        with failures.attempt(f"the report was not made in the form `{self._options.output_format}`"):
            return list(self._rendered(diagnosis, listing))
        return None if self._options.output_format in FOR_PROGRAMS else [_plain(finding) for finding in diagnosis.findings]

    def _rendered(self, diagnosis: Diagnosis, listing: Listing) -> Iterator[str]:
        if self._options.output_format == "html":
            return iter([page(diagnosis, self._read, self._base).rstrip("\n")])
        lines = render(self._options.output_format, listing)
        if self._options.output_format != "full":
            return lines
        tables = chain(self._table(listing), layer_table(diagnosis.run) if self._options.layers else ())
        return chain(lines, map(neutral_path, tables))

    def _table(self, listing: Listing) -> Iterator[str]:
        table = list(repair_table(listing, shutil.get_terminal_size((_WIDTH, 24)).columns))
        yield from [*table, ""] if table else table

    def _print(self, lines: Sequence[str] | None, diagnosis: Diagnosis) -> None:
        output: Callable[[str], None] = say
        if self._output is not None:
            if lines is not None:
                with opened(self._output) as stream:
                    stream.writelines(f"{line}\n" for line in lines)
        elif self._options.output_format in FOR_PROGRAMS:
            for line in lines or ():
                print(line, file=sys.__stdout__, flush=True)
        else:
            for line in lines or ():
                print(line, flush=True)
            output = print
        for line in () if rank() else closing(diagnosis):
            output(neutral_path(line))

    def _color(self) -> bool:
        if self._options.color != "auto":
            return self._options.color == "always"
        return self._output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _plain(finding: Finding) -> str:
    """A finding in a line, made of as little as possible."""
    first = finding.location.span.first
    return neutral_path(f"{finding.location.path}:{first.line}:{first.column}: {finding.code} {finding.message}")


def rank() -> int:
    """The number of this process among those of a launcher; the first one speaks for all."""
    return launched_team().rank


def for_rank(path: Path) -> Path:
    """The file that this process writes instead of ``path``: the first one's is ``path`` itself."""
    return path.with_stem(f"{path.stem}.rank{rank()}") if rank() else path


def opened(path: Path) -> IO[str]:
    """A file to write to.

    Raises:
        Failure: it cannot be opened, or is a link to a file.
    """
    return open_output(path)


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
