"""The work of ``dllint check`` after the command line is read."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dllint.cli.failures import Failure, say
from dllint.cli.progress import progress
from dllint.config.discovery import Configuration
from dllint.config.options import Settings
from dllint.engine.apply import unified
from dllint.engine.files import Found, find_files
from dllint.engine.results import IO_ERROR, FileResult, Notice, problem
from dllint.engine.run import FixMode, Plan, check_files, check_standard_input
from dllint.finding import Finding, Severity
from dllint.report.formats import render
from dllint.report.listing import Listing, counted
from dllint.report.summary import statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One run of ``dllint check``; the fields are its options."""

    paths: tuple[Path, ...]
    configuration: Configuration
    fix: bool
    fix_only: bool
    diff: bool
    output_file: Path | None
    statistics: bool
    show_settings: bool
    show_files: bool
    exit_zero: bool
    exit_non_zero_on_fix: bool
    jobs: int
    stdin_filename: Path | None
    quiet: bool
    silent: bool
    color: bool

    @property
    def fix_mode(self) -> FixMode:
        """What to do with fixes."""
        if self.diff:
            return FixMode.DIFF
        return FixMode.APPLY if self.fix or self.fix_only else FixMode.OFFER


def check(request: Request) -> int:
    """Check and report; the exit status.

    Raises:
        ConfigError: a configuration cannot be used.
        Failure: the request cannot be met.
    """
    settings = request.configuration.for_directory(Path.cwd())
    if request.paths == (Path("-"),):
        return _check_stdin(request, settings)
    found = find_files(request.paths, request.configuration)
    if request.show_files:
        return _print(str(path) for path in found.files)
    if request.show_settings:
        return _print(_settings(found, request.configuration))
    if not found.files and not found.missing:
        _warn(request, "warning: no Python files found under the given paths")
    plan = Plan(request.configuration, request.fix_mode, request.jobs)
    with progress(len(found.files), wanted=not (request.quiet or request.silent)) as advance:
        results = check_files(found.files, plan, advance)
    missing = [problem(IO_ERROR, path, 1, 1, "no such file or directory") for path in found.missing]
    return 2 if _report(results, missing, request, settings) == 2 or missing else _status(results, request, settings)


def _check_stdin(request: Request, settings: Settings) -> int:
    path = request.stdin_filename or Path("-")
    if request.stdin_filename is not None:
        settings = request.configuration.for_file(path)
    result = check_standard_input(sys.stdin.buffer.read(), path, Plan(request.configuration, request.fix_mode, 1))
    if request.fix_mode is FixMode.APPLY:
        sys.stdout.write(result.after)
        _notices(result.notices, request)
        return _status([result], request, settings)
    _report([result], [], request, settings)
    return _status([result], request, settings)


def _report(results: Sequence[FileResult], missing: list[Finding], request: Request, settings: Settings) -> int:
    _notices([notice for result in results for notice in result.notices], request)
    if request.diff:
        _diff(results, request)
        return 0
    if request.silent or request.fix_only:
        return 0
    texts = {result.path: result.after for result in results}
    listing = Listing(
        findings=sorted((*missing, *(f for result in results for f in result.findings)), key=_order),
        read=lambda path: texts.get(path) or _read(path),
        rules=_rule_texts(settings.output_format),
        unsafe_fixes=settings.unsafe_fixes,
        color=request.color,
        fixed=sum(sum(result.fixed.values()) for result in results),
    )
    lines = statistics(listing) if request.statistics else render(settings.output_format, listing)
    with _output(request.output_file) as stream:
        for line in lines:
            stream.write(f"{line}\n")
    return 0


def _rule_texts(output_format: str) -> dict[str, object]:
    if output_format != "sarif":
        return {}
    from dllint.engine.registry import rule_texts

    return dict(rule_texts())


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    first = finding.location.span.first
    return str(finding.location.path), first.line, first.column, finding.code, finding.message


def _read(path: Path) -> str:
    from dllint.source.encoding import UndecodableError, decode

    try:
        return decode(path.read_bytes())[0]
    except (OSError, UndecodableError):
        return ""


@contextmanager
def _output(path: Path | None) -> Iterator[IO[str]]:
    if path is None:
        yield sys.stdout
        return
    try:
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from error


def _diff(results: Sequence[FileResult], request: Request) -> None:
    listing = Listing([], lambda path: "")
    fixed: Counter[str] = Counter()
    for result in results:
        if result.after != result.before:
            sys.stdout.write(unified(listing.shown(result.path), result.before, result.after))
            fixed.update(result.fixed)
    if fixed and not request.quiet:
        say(f"Would fix {counted(fixed.total(), 'finding')}.")


def _notices(notices: Sequence[Notice], request: Request) -> None:
    for notice in notices:
        _warn(request, f"{notice.kind}: {notice.path}: {notice.message}")
        if notice.traceback:
            say(notice.traceback)


def _warn(request: Request, message: str) -> None:
    if not request.silent:
        say(message)


def _status(results: Sequence[FileResult], request: Request, settings: Settings) -> int:
    fixed = any(result.fixed for result in results)
    if request.exit_zero:
        return 0
    if request.diff:
        return int(fixed)
    if fixed and request.exit_non_zero_on_fix:
        return 1
    lowest = Severity(settings.fail_on).rank
    failing: Callable[[Finding], bool] = lambda finding: finding.severity.rank <= lowest  # noqa: E731
    return int(not request.fix_only and any(failing(finding) for result in results for finding in result.findings))


def _print(lines: Iterator[str]) -> int:
    for line in lines:
        print(line)
    return 0


def _settings(found: Found, configuration: Configuration) -> Iterator[str]:
    from dllint.config.options import options

    path = found.files[0] if found.files else Path.cwd() / "module.py"
    settings = configuration.for_file(path)
    yield f"# Settings of {path}"
    yield f"# from {settings.origin or 'the built-in defaults'}"
    for option in options():
        yield f"{option.name} = {getattr(settings, option.attribute)!r}"
