"""The work of ``dllint check`` after the command line is read."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from dllint.cli.failures import UNUSABLE, Failure, say, say_lines
from dllint.cli.outputs import open_output
from dllint.cli.progress import progress
from dllint.config.discovery import Configuration
from dllint.config.options import Option, Settings, names_rules, options
from dllint.engine.failing import crash
from dllint.engine.figures import Figures, in_words
from dllint.engine.files import Found, find_files
from dllint.engine.followed import figures_of, total
from dllint.engine.results import IO_ERROR, FileResult, Notice, problem
from dllint.engine.run import FixMode, Plan, check_files, check_standard_input
from dllint.finding import Confidence, Finding, Severity
from dllint.report.formats import Render, Unprintable, printed, render
from dllint.report.json_text import json_text
from dllint.report.listing import Listing, RuleText, counted
from dllint.report.summary import statistics, statistics_as_json
from dllint.source.installed import Environment
from dllint.source.neutral import neutral, neutral_path, neutral_source

#: The formats that end with lines about the run as a whole.
_WITH_CLOSING_LINES: Final = ("full", "concise")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One run of ``dllint check``; the fields are its options."""

    paths: tuple[Path, ...]
    configuration: Configuration
    fix: bool
    fix_only: bool
    diff: bool
    output_file: Path | None
    coverage_file: Path | None
    statistics: bool
    show_settings: bool
    show_files: bool
    no_cache: bool
    update_baseline: bool
    strict_baseline: bool
    exit_zero: bool
    exit_non_zero_on_fix: bool
    jobs: int
    stdin_filename: Path | None
    quiet: bool
    hints: bool
    silent: bool
    color: bool

    @property
    def fix_mode(self) -> FixMode:
        """The mode of applying fixes that the options ask for."""
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
    if names_rules(settings):
        from dllint.engine.registry import catalogue

        request.configuration.selection(settings, catalogue())  # a selector that names no rule must not pass unseen
    if request.paths == (Path("-"),):
        return _check_stdin(request, settings)
    found = find_files(request.paths, request.configuration)
    if request.show_files:
        return _print(neutral_path(path) for path in found.files)
    if request.show_settings:
        return _print(_settings(found, request.configuration))
    if not found.files and not found.missing:
        _warn(request, "warning: no Python files found under the given paths")
    plan = Plan(request.configuration, request.fix_mode, request.jobs, cache=not request.no_cache)
    with progress(len(found.files), wanted=not (request.quiet or request.silent)) as advance:
        results = check_files(found.files, plan, advance)
    known, stale = _without_known(results, request, settings, update=request.update_baseline)
    missing = [problem(IO_ERROR, path, 1, 1, "no such file or directory") for path in found.missing]
    coverage = _coverage(results, request)
    gone = stale if request.strict_baseline else 0
    results = [*results, *_elsewhere(found.notices)]
    failed = _report(results, missing, request, settings, coverage, known, gone)
    if missing:
        return UNUSABLE
    status = _status([*results, *_elsewhere(failed)], request, settings)
    return status or int(not request.exit_zero and (bool(gone) or _is_below_minimum(coverage, request, settings)))


def _check_stdin(request: Request, settings: Settings) -> int:
    path = request.stdin_filename or Path("-")
    if request.stdin_filename is not None:
        settings = request.configuration.for_file(path)
    data = sys.stdin.buffer.read()
    result = check_standard_input(data, path, Plan(request.configuration, request.fix_mode))
    known, _ = _without_known([result], request, settings, update=False)
    if request.fix_mode is not FixMode.APPLY:
        coverage = _coverage([result], request)
        failed = _report([result], [], request, settings, coverage, known)
        status = _status([result, *_elsewhere(failed)], request, settings)
        return status or int(not request.exit_zero and _is_below_minimum(coverage, request, settings))
    _notices([result], request)
    sys.stdout.flush()
    sys.stdout.buffer.write(data if result.data is None else result.data)
    sys.stdout.buffer.flush()
    return _status([result], request, settings)


def _without_known(results: Sequence[FileResult], request: Request, settings: Settings, *, update: bool) -> tuple[int, int]:
    """Take the findings out of the results that the baseline knows, if there is one: how many these are, and how many it still
    knows that are gone."""
    if not settings.baseline and not update:
        return 0, 0
    from dllint.cli.baseline import apply_baseline

    taken = apply_baseline(results, settings, update=update, tell=partial(_tell, request))
    return taken.hidden, taken.stale.total()


def _coverage(results: Sequence[FileResult], request: Request) -> Figures:
    """What was followed, in all files together; written to a file if that is wanted."""
    try:
        by_file = figures_of(results)
    except Exception as error:  # of ours: it takes no finding with it
        by_file = []
        results[0].notices.append(crash(Path.cwd(), "what was followed could not be counted", error))
    together = total(by_file)
    if request.coverage_file is not None:
        shown = Listing([], lambda path, cell: "").shown
        files = [{"filename": shown(path), **figures.to_data()} for path, figures in by_file]
        environments = [environment.prefix for environment in _used(results, request.configuration)]
        with _output(request.coverage_file) as stream:
            stream.write(json_text({**together.to_data(), "environments": environments, "files": files}) + "\n")
    return together


def _is_below_minimum(coverage: Figures, request: Request, settings: Settings) -> bool:
    """Whether too little was followed; says so. Code without tensor operations is never below."""
    if coverage.share is None or request.fix_only or request.diff or 100 * coverage.share >= settings.min_coverage:
        return False
    share = f"{coverage.known} of {coverage.places} ({100 * coverage.share:.1f} %)"
    _warn(request, f"shapes are known of {share} operations: less than the {settings.min_coverage} % of `min-coverage`")
    return True


#: Formats for programs, which tell findings apart by their severity.
_WITH_HINTS: Final = frozenset({"json"})


def _report(
    results: Sequence[FileResult],
    missing: list[Finding],
    request: Request,
    settings: Settings,
    coverage: Figures,
    known: int,
    gone: int = 0,
) -> list[Notice]:
    """Print what was found, or the diff of the fixes, and return what could not be printed; ``known`` findings are hidden by a
    baseline, ``gone`` ones should not be in it any more."""
    _notices(results, request)
    if request.diff:
        return _diff(results, request)
    if not (request.silent or request.fix_only):
        found = [finding for result in results for finding in result.findings]
        if not request.hints and (request.statistics or settings.output_format not in _WITH_HINTS):
            found = [finding for finding in found if finding.severity is not Severity.HINT]
        listing = _listing(sorted((*missing, *found), key=_order), results, request, settings)
        listing.figures, listing.known, listing.stale = coverage, known, gone
        return _print_findings(listing, request, settings)
    return []


def _listing(findings: Sequence[Finding], results: Sequence[FileResult], request: Request, settings: Settings) -> Listing:
    texts: dict[tuple[Path, int | None], str] = {(result.path, None): result.after for result in results if not result.unread}
    texts |= {(result.path, cell): text for result in results for cell, text in result.cells.items()}
    return Listing(
        findings=findings,
        read_file=_read,
        read=lambda path, cell: texts[path, cell] if (path, cell) in texts else _read(path),
        rules=_rule_texts(settings.output_format, findings),
        unsafe_fixes=settings.unsafe_fixes,
        color=request.color,
        fixed=sum(result.fixed.total() for result in results),
        quiet=request.quiet,
        notes=[*_releases(results), *_environments(results, request.configuration)],
    )


def _print_findings(listing: Listing, request: Request, settings: Settings) -> list[Notice]:
    """Print a listing; what was followed is reported on standard error where the format has no closing lines."""
    if listing.figures is not None and (request.statistics or settings.output_format not in _WITH_CLOSING_LINES):
        _tell(request, in_words(listing.figures))
        for note in listing.notes:
            _tell(request, note)
    lines, failed = _lines(listing, partial(_counted if request.statistics else _formatted, settings))
    with _output(request.output_file) as stream:
        for line in lines:
            stream.write(f"{line}\n")
    for notice in failed:
        _warn(request, str(notice))
    return failed


def _lines(listing: Listing, form: Render) -> tuple[list[str], list[Notice]]:
    """A listing in its format, and what of it could not be printed. If nothing could, each finding gets one line."""
    try:
        lines, unprintable = printed(form, listing)
    except Failure:
        raise
    except Exception as error:
        for finding in listing.findings:
            say(f"{listing.place(finding.location)}: {finding.code} {finding.message}")
        return [], [crash(listing.base, "the findings could not be printed in their format", error)]
    return lines, [_notice_of(found) for found in unprintable]


def _notice_of(found: Unprintable) -> Notice:
    finding = found.finding
    what = "is printed in short" if found.instead is not None else f"cannot be printed: {finding.message}"
    line = finding.location.span.first.line
    return crash(finding.location.path, f"the finding of {finding.code} in line {line} {what}", found.error)


def _formatted(settings: Settings, listing: Listing) -> Iterator[str]:
    return render(settings.output_format, listing)


def _counted(settings: Settings, listing: Listing) -> Iterator[str]:
    """How often each rule was found, for people or for programs.

    Raises:
        Failure: the format has no place for that.
    """
    if settings.output_format == "json":
        return statistics_as_json(listing)
    if settings.output_format in _WITH_CLOSING_LINES:
        return statistics(listing)
    raise Failure(f"--statistics can be printed as full, concise or json, not as {settings.output_format}")


def _releases(results: Sequence[FileResult]) -> list[str]:
    """The line that names who decided which releases the code is for, where it mattered: of one library once, where one
    file has the same reason as another and one more."""
    given = {who for result in results for who in result.decided}
    decided = sorted(who for who in given if not any(other.startswith(f"{who}, ") for other in given))
    return [f"Releases: {'; '.join(decided)}."] if decided else []


def _used(results: Sequence[FileResult], configuration: Configuration) -> list[Environment]:
    """The environments whose installed packages were looked at."""
    found = {configuration.for_file(result.path).environment for result in results if not result.unread}
    return sorted(environment for environment in found if environment is not None)


def _environments(results: Sequence[FileResult], configuration: Configuration) -> list[str]:
    """The line that names them, if there is any."""
    shown = [f"{environment.prefix} ({environment.named_by})" for environment in _used(results, configuration)]
    return [f"Environment: {'; '.join(shown)}."] if shown else []


def _rule_texts(output_format: str, findings: Sequence[Finding]) -> dict[str, RuleText]:
    """The texts of the rules that occur, for the formats that print them."""
    if output_format != "sarif":
        return {}
    from dllint.engine.registry import catalogue, page, summary

    texts: dict[str, RuleText] = {}
    for code in {finding.code for finding in findings} & catalogue().entries.keys():
        with suppress(Exception):  # a finding is worth printing without the page of its rule
            texts[code] = RuleText(code, catalogue().entries[code].name, summary(code), page(code))
    return texts


def _order(finding: Finding) -> tuple[str, int, int, int, str, str]:
    first = finding.location.span.first
    return str(finding.location.path), finding.location.cell or 0, first.line, first.column, finding.code, finding.message


def _read(path: Path) -> str:
    from dllint.source.encoding import UndecodableError, decode
    from dllint.source.regular import read_regular

    try:
        return decode(read_regular(path))[0]
    except (OSError, UndecodableError):
        return ""


@contextmanager
def _output(path: Path | None) -> Iterator[IO[str]]:
    if path is None:
        yield sys.stdout
        return
    try:
        with open_output(path) as stream:
            yield stream
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from error


def _diff(results: Sequence[FileResult], request: Request) -> list[Notice]:
    from dllint.engine.apply import unified

    listing = Listing([], lambda path, cell: "")
    fixed: Counter[str] = Counter()
    failed: list[Notice] = []
    for result in results:
        if result.after != result.before:
            try:
                text = unified(neutral_path(listing.shown(result.path)), result.before, result.after)
            except Exception as error:
                failed.append(crash(result.path, "what the fixes would change cannot be shown", error))
                _warn(request, str(failed[-1]))
                continue
            sys.stdout.write(neutral_source(text) if sys.stdout.isatty() else text)  # a file is to be applied as it is
            fixed.update(result.fixed)
    if fixed and not request.quiet:
        say(f"Would fix {counted(fixed.total(), 'finding')}.")
    return failed


def _elsewhere(notices: Sequence[Notice]) -> list[FileResult]:
    """Notices about files that are not checked, as results."""
    return [FileResult(notice.path, notices=[notice]) for notice in notices]


def _notices(results: Sequence[FileResult], request: Request) -> None:
    for text in request.configuration.refused():
        _warn(request, f"ignored: {text}")
    # What concerns several files (a project's requirements) is found anew by every process: it is reported once.
    for notice in {str(notice): notice for result in results for notice in result.notices}.values():
        _warn(request, str(notice))
        if notice.traceback:
            say_lines(notice.traceback)


def _tell(request: Request, message: str) -> None:
    if not (request.quiet or request.silent):
        say(message)


def _warn(request: Request, message: str) -> None:
    if not request.silent:
        say(message)


def _status(results: Sequence[FileResult], request: Request, settings: Settings) -> int:
    """2 if part of the work was not done, 1 if there is something to look at, else 0; 0 in any case if that is asked for."""
    if request.exit_zero:
        return 0
    if any(not notice.expected for result in results for notice in result.notices):
        return UNUSABLE
    fixed = any(result.fixed for result in results)
    if request.diff or (fixed and request.exit_non_zero_on_fix):
        return int(fixed)
    lowest, least = Severity(settings.fail_on).rank, Confidence(settings.fail_on_confidence).rank
    found = (finding for result in results for finding in result.findings)
    failing = any(finding.severity.rank <= lowest and finding.confidence.rank <= least for finding in found)
    return int(not request.fix_only and failing)


def _print(lines: Iterator[str]) -> int:
    for line in lines:
        print(neutral(line))
    return 0


def _settings(found: Found, configuration: Configuration) -> Iterator[str]:
    path = found.files[0] if found.files else Path.cwd() / "module.py"
    settings = configuration.for_file(path)
    yield f"# Settings of {path}"
    yield f"# from {settings.origin or 'the built-in defaults'}"
    for option in options():
        yield f"{option.name} = {_toml(option, getattr(settings, option.attribute))}"
    from dllint.config.targets import Targets

    for target in Targets(path, settings.target, configuration.stated_by(settings)).all():
        yield f"# {target.library}: {target}"


def _toml(option: Option, value: Any) -> str:
    """A value as it is written in a configuration file."""
    if option.kind in ("globs-to-strings", "strings-to-choice"):
        return f"{{ {', '.join(f'{json.dumps(key)} = {json.dumps(item)}' for key, item in value)} }}" if value else "{}"
    if option.kind == "ranges":
        from dllint.config.ranges import as_toml

        return as_toml(value)
    return json.dumps(value)
