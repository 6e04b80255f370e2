"""The work of ``dllint diagnose`` after the command line is read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from dllint.cli.applying import apply_confirmed
from dllint.cli.diagnosis_options import Options
from dllint.cli.diagnosis_report import FOR_PROGRAMS, Report, for_rank, opened, rank
from dllint.cli.failures import UNUSABLE, Failure, say
from dllint.cli.live import live
from dllint.cli.testing import check_place, write_tests
from dllint.config.discovery import Configuration
from dllint.diagnose.boundary import ENDINGS, Failures
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.launch import Program
from dllint.diagnose.limits import Limits
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.ranks.team import is_launched
from dllint.diagnose.session import Request, diagnose
from dllint.diagnose.stream import EventStream
from dllint.diagnose.treatment import treat
from dllint.diagnose.trials.counterfactual import Setting
from dllint.finding import Finding


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
    report = Report(options, Path.cwd(), read)
    with ExitStack() as files:
        events = files.enter_context(EventStream(opened(for_rank(options.events)))) if options.events is not None else None
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
        later: list[str] = []
        failures = Failures(later.append)
        with failures.attempt(f"{options.write_tests} was not written"):
            later += _wrote_tests(diagnosis, program, Path(folder), options)
        if options.replay and not is_launched() and diagnosis.outcome.ended != "terminated":
            setting = Setting(known, folder, options.device, read)
            diagnosis = treat(diagnosis, setting, request.static, options.replay_seconds, listener)
            if options.apply:
                shown("applying", None)
                with failures.attempt("the repair was not applied, or not verified", ENDINGS):
                    diagnosis = apply_confirmed(diagnosis, setting, options.replay_seconds)
        status = last_words(diagnosis)
        for notice in later:
            say(f"dllint: {notice}.")
        return UNUSABLE if failures.any else status


def _wrote_tests(diagnosis: Diagnosis, program: Program, folder: Path, options: Options) -> list[str]:
    """What is to be said about the tests that were written; nothing if none were asked for."""
    if options.write_tests is None or rank():
        return []
    return [write_tests(diagnosis, program, folder, options.write_tests)]


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
    """The findings of ``dllint check`` in the program."""
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


@contextmanager
def _output_apart(options: Options) -> Iterator[None]:
    """While a program runs whose report goes to standard output as one document, what it prints goes to standard error. The
    report is written to the former standard output, which its writer finds as ``sys.__stdout__``."""
    if options.output_format not in FOR_PROGRAMS or options.output_file is not None:
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
