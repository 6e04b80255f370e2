"""The work of ``dllint bisect`` after the command line is read."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from dllint.bisection.alignment.file import text_of
from dllint.bisection.errors import BisectionError
from dllint.bisection.judges.judge import Outputs, Targets
from dllint.bisection.judges.verdicts import Asked, by_command
from dllint.bisection.references.device import device_of
from dllint.bisection.report.page import page
from dllint.bisection.report.record import record
from dllint.bisection.report.terminal import lines
from dllint.bisection.reproduction import write_tests
from dllint.bisection.result import Bisection
from dllint.bisection.session import Laid, Opened, Options, laid_out, opened, searched
from dllint.bisection.spec import load
from dllint.bisection.team import Team, launched, one_by_one
from dllint.cli.failures import Failure, say
from dllint.cli.outputs import open_output
from dllint.cli.progress import doing
from dllint.report.json_text import json_text
from dllint.source.neutral import neutral_path

#: Samples whose outputs a person is shown.
_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectOptions:
    """The options of one run, as the command line has them."""

    device: str
    providers: tuple[str, ...]
    check: str | None
    check_seconds: float | None
    ask: bool
    output_format: str
    output_file: Path | None
    write_tests: Path | None
    alignment: Path | None
    print_alignment: bool
    save_alignment: Path | None
    cache_dir: Path
    cache_bytes: int
    alpha: float
    patience: float
    quiet: bool


def run(spec: Path, options: BisectOptions) -> int:
    """Bisect and report; the exit status.

    Raises:
        Failure: there is nothing to judge by, with what the user can do about it.
    """
    try:
        team = launched(options.patience)
        if team.size > 1 and (options.ask or options.check is not None):
            raise Failure("--check and --ask judge in one process only; start without a launcher")
        with doing(not options.quiet and not options.ask and team.rank == 0) as tell:
            return _run(spec, options, team, tell)
    except BisectionError as error:
        raise Failure(f"{error}; {error.advice}" if error.advice else str(error)) from error
    except KeyboardInterrupt:
        say(f"interrupted; what was run is kept in {options.cache_dir}, the same command goes on from there")
        raise


def _run(spec: Path, options: BisectOptions, team: Team, tell: Callable[[str], None]) -> int:
    session_options = Options(
        device_of(options.device),
        options.alpha,
        options.cache_dir,
        options.cache_bytes,
        options.alignment,
        _asked(options),
        options.providers,
        team,
    )
    tell("opening both models")
    loaded = one_by_one(team, lambda: load(spec))
    both = opened(loaded, session_options)
    if options.print_alignment or options.save_alignment is not None:
        if team.rank == 0:
            _write(text_of(both.reference.graph, both.aligned), options.save_alignment)
        return 0
    laid = laid_out(loaded, session_options, both, tell)
    found = searched(laid)
    if team.rank == 0:
        _report(spec, options, both, laid, found)
    return 0 if found.verdict.fine else 1


def _report(spec: Path, options: BisectOptions, both: Opened, laid: Laid, found: Bisection) -> None:
    for pair in both.unfit:
        say(f"note: `{pair.node}` and `{pair.value}` do not fit in shape and are left to the reference")
    if options.write_tests is not None:
        for path in write_tests(options.write_tests, spec, laid, found):
            say(f"wrote {path}")
    _write(_text(found, both, laid, options.output_format), options.output_file)


def _text(found: Bisection, both: Opened, laid: Laid, output_format: str) -> str:
    graph = both.reference.graph
    if output_format == "json":
        return json_text(record(found, graph))
    if output_format == "html":
        return page(found, graph, laid.profile.steps)
    return "\n".join(map(neutral_path, lines(found, graph)))


def _write(text: str, file: Path | None) -> None:
    if file is None:
        click.echo(text.rstrip("\n"))
        return
    with open_output(file) as stream:
        stream.write(text.rstrip("\n") + "\n")


def _asked(options: BisectOptions) -> Asked | None:
    """The judge that is used in place of the metric."""
    if options.ask:
        return _person
    if options.check is None:
        return None
    command = shlex.split(options.check)
    if not command:
        raise Failure("--check names no command")
    return by_command(command, options.check_seconds)


def _person(outputs: Outputs, targets: Targets) -> bool:
    """Show some outputs and ask."""
    for i in range(min(_SHOWN, len(targets))):
        shown = "  ".join(np.array2string(array[i], precision=3, threshold=12, edgeitems=3) for array in outputs)
        click.echo(f"sample {i}: {shown}   target: {targets[i]}", err=True)
    return click.confirm(f"Are these outputs of {len(targets)} samples good?", err=True)
