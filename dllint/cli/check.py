"""``dllint check``: find faults, print them, fix them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from dllint.cli.failures import Failure
from dllint.config.options import CONFIDENCES, FORMATS, NO_ENVIRONMENT, SEVERITIES
from dllint.domains.precision import PRECISIONS

_SELECTORS: Final = ("select", "ignore", "extend_select", "extend_ignore", "fixable", "unfixable")


def _codes(name: str, text: str) -> Callable[[Any], Any]:
    return click.option(f"--{name}", multiple=True, metavar="RULES", help=f"{text} (comma-separated, repeatable).")


_OPTIONS: Final = (
    _codes("select", "Rules to report: codes, prefixes, names or ALL"),
    _codes("ignore", "Rules not to report"),
    _codes("extend-select", "Rules to report besides the selected ones"),
    _codes("extend-ignore", "Rules to ignore besides the ignored ones"),
    click.option("--per-file-ignores", multiple=True, metavar="GLOB:RULE", help="Rules to ignore in matching files."),
    _codes("fixable", "Rules whose fixes may be applied"),
    _codes("unfixable", "Rules whose fixes are never applied"),
    click.option("--target", multiple=True, metavar="LIB==RELEASE", help="A release that the code is for (repeatable)."),
    click.option("--min-confidence", type=click.Choice(CONFIDENCES), help="Report findings of at least this confidence."),
    click.option("--precision", type=click.Choice(tuple(PRECISIONS)), help="How exactly ranges of numbers are computed."),
    click.option("--fix", is_flag=True, help="Apply safe fixes."),
    click.option("--unsafe-fixes/--no-unsafe-fixes", default=None, help="Include fixes that change what the code computes."),
    click.option("--fix-only", is_flag=True, help="Apply fixes and report nothing."),
    click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing."),
    click.option("--output-format", type=click.Choice(FORMATS), envvar="DLLINT_OUTPUT_FORMAT", help="How to print findings."),
    click.option("-o", "--output-file", type=click.Path(path_type=Path), help="Write the findings to a file."),
    click.option("--statistics", is_flag=True, help="Print how often each rule was found."),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files and directories."),
    click.option("--extend-exclude", multiple=True, metavar="PATTERN", help="Leave out more files and directories."),
    click.option("--force-exclude/--no-force-exclude", default=None, help="Apply exclusions also to named files."),
    click.option("--respect-gitignore/--no-respect-gitignore", default=None, help="Leave out what .gitignore excludes."),
    click.option("--config", "configs", multiple=True, metavar="FILE|KEY=VALUE", help="A configuration file or one setting."),
    click.option(
        "--ranges", "range_files", multiple=True, metavar="FILE", help="A TOML file of the ranges of inputs and weights."
    ),
    click.option("--isolated", is_flag=True, help="Ignore all configuration files."),
    click.option("--python", metavar="PATH", help="The environment whose packages are read: its directory or interpreter."),
    click.option(
        "--no-environment", is_flag=True, envvar="DLLINT_NO_ENVIRONMENT", help="Read no installed packages of any environment."
    ),
    click.option("--show-settings", is_flag=True, help="Print the settings of the first file."),
    click.option("--show-files", is_flag=True, help="Print the files that would be checked."),
    click.option("--fail-on", type=click.Choice(SEVERITIES[:3]), help="The lowest severity that gives exit status 1."),
    click.option(
        "--fail-on-confidence", type=click.Choice(CONFIDENCES), help="The lowest confidence that gives exit status 1."
    ),
    click.option(
        "--min-coverage",
        type=click.IntRange(0, 100),
        metavar="PERCENT",
        help="Exit with 1 if fewer shapes are known than this.",
    ),
    click.option("--coverage-file", type=click.Path(path_type=Path), help="Write what was followed, file by file, as JSON."),
    click.option(
        "--hints", "--show-hints", "hints", is_flag=True, help="Print also hints, as JSON does; they never fail the check."
    ),
    click.option("-e", "--exit-zero", is_flag=True, help="Exit with 0 whatever is found or goes wrong in a file."),
    click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if anything was fixed."),
    click.option("--baseline", metavar="FILE", help="Do not report the findings that are known in FILE."),
    click.option("--update-baseline", is_flag=True, help="Write the findings to the baseline file."),
    click.option("--strict-baseline", is_flag=True, help="Exit with 1 if the baseline holds findings that are gone."),
    click.option(
        "--max-file-size",
        type=click.IntRange(1),
        metavar="BYTES",
        help="Skip larger files; no checkout can allow more.",
    ),
    click.option("--max-seconds", type=click.IntRange(1), metavar="SECONDS", help="CPU time for one file, in the same way."),
    click.option("--max-memory", type=click.IntRange(1), metavar="MIB", help="Memory of the whole run, in the same way."),
    click.option("-n", "--no-cache", is_flag=True, envvar="DLLINT_NO_CACHE", help="Do not use the cache."),
    click.option("--cache-dir", metavar="DIR", envvar="DLLINT_CACHE_DIR", help="The directory of the cache."),
    click.option("-j", "--jobs", type=click.IntRange(min=0), default=0, help="Processes to use; 0 chooses by the work."),
    click.option("--stdin-filename", type=click.Path(path_type=Path), help="The name of the file read from standard input."),
    click.option("-q", "--quiet", is_flag=True, help="Print findings only."),
    click.option("-s", "--silent", is_flag=True, help="Print nothing."),
    click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Use colours."),
)


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@_with_options
def command(paths: tuple[Path, ...], **options: Any) -> int:
    """Find faults in PATHS (files and directories; `.` by default; `-` reads standard input).

    The exit status is 0 if nothing was found, 1 if there are findings of at least the `--fail-on` severity and the
    `--fail-on-confidence`, or less was followed than `--min-coverage`, 2 if something kept dllint from doing its work (a
    missing path, a broken configuration, an unknown option).
    """
    from dllint.cli.checking import Request, check
    from dllint.config.discovery import configure
    from dllint.config.errors import ConfigError

    try:
        ranges = options.pop("range_files")
        configuration = configure(options.pop("configs"), _overrides(options), options.pop("isolated"), ranges)
        configuration.named = tuple(Path(os.path.abspath(path)) for path in paths if path.is_dir())
        return check(Request(paths=paths or (Path("."),), configuration=configuration, **_remaining(options)))
    except ConfigError as error:
        raise Failure(error) from error


def _overrides(options: dict[str, Any]) -> dict[str, Any]:
    """The settings given on the command line, by attribute of Settings; they are taken out of ``options``."""
    values: dict[str, Any] = {}
    for name in (*_SELECTORS, "exclude", "extend_exclude"):
        given = _split(options.pop(name))
        if given:
            values[name] = given
    for name in ("baseline", "cache_dir"):
        given = options.pop(name)
        if given is not None:
            values[name] = str(Path(given).expanduser().absolute())
    if targets := options.pop("target"):
        from dllint.config.targets import read_targets

        values["target"] = read_targets(targets, "--target")
    ignores = [_file_ignore(item) for item in _split(options.pop("per_file_ignores"))]
    if ignores:
        values["per_file_ignores"] = tuple(ignores)
    if (python := environment(options.pop("python"), options.pop("no_environment"))) is not None:
        values["python"] = python
    for name in (
        "min_confidence",
        "unsafe_fixes",
        "output_format",
        "force_exclude",
        "respect_gitignore",
        "fail_on",
        "fail_on_confidence",
        "min_coverage",
        "precision",
        "max_file_size",
        "max_seconds",
        "max_memory",
    ):
        given = options.pop(name)
        if given is not None:
            values[name] = given
    return values


def environment(python: str | None, none: bool) -> str | None:
    """The setting ``python`` of the command line, ``None`` if there is none."""
    if none:
        return NO_ENVIRONMENT
    return None if python is None else str(Path(python).expanduser().absolute())


def _split(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(item.strip() for value in values for item in value.split(",") if item.strip())


def _file_ignore(text: str) -> tuple[str, tuple[str, ...]]:
    pattern, colon, code = text.rpartition(":")
    if not colon or not pattern:
        raise Failure(f"--per-file-ignores needs GLOB:RULE, for example `tests/**:DLS`, but got `{text}`")
    return pattern, (code.strip(),)


def _remaining(options: dict[str, Any]) -> dict[str, Any]:
    options["color"] = _color(options["color"], options["output_file"])
    return options


def _color(choice: str, output_file: Path | None) -> bool:
    import os

    if choice != "auto":
        return choice == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    return output_file is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
