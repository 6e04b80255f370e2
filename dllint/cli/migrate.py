"""``dllint migrate``: write a project for a newer release of its libraries."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dllint.cli.failures import UNUSABLE, Failure, say, say_lines
from dllint.config.errors import ConfigError

if TYPE_CHECKING:
    from dllint.migrate.files import Migrated
    from dllint.migrate.goal import Goal


@click.command("migrate")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "wanted",
    multiple=True,
    required=True,
    metavar="RELEASE",
    help="`keras3`, `tf2`, `torch2`, or a release such as `torch2.6` (repeatable).",
)
@click.option("--diff", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files and directories.")
@click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
@click.option("--python", metavar="PATH", help="The environment whose packages are read: its directory or interpreter.")
@click.option("--no-environment", is_flag=True, envvar="DLLINT_NO_ENVIRONMENT", help="Read no installed packages.")
@click.option("-q", "--quiet", is_flag=True, help="Print only what is left.")
def command(paths: tuple[Path, ...], wanted: tuple[str, ...], **options: Any) -> int:
    """Write PATHS (files and directories; `.` by default) for a newer release of their libraries.

    Applies all version fixes at once: imports, names, keywords, the order of arguments. `tf2` writes names of TensorFlow 1 as
    their successors or as `tf.compat.v1`; graphs and sessions are not rewritten. What cannot be done is listed with its place
    and the reason. Without --diff the files are written.

    The exit status is 0 if nothing is left to do (with --diff: and nothing would change), 1 if something is, 2 if something
    kept dllint from doing its work.
    """
    try:
        return _migrate(paths or (Path("."),), _goals(wanted), options)
    except ConfigError as error:
        raise Failure(error) from error


def _goals(wanted: Sequence[str]) -> list[Goal]:
    from dllint.migrate.goal import goal

    goals = []
    for text in wanted:
        found = goal(text)
        if found is None:
            raise Failure(f"`--to {text}` is no release to migrate to: write `keras3`, `tf2` or `torch2`, or `torch2.6`")
        goals.append(found)
    return goals


def _migrate(paths: Sequence[Path], goals: Sequence[Goal], options: dict[str, Any]) -> int:
    from dllint.cli.check import environment
    from dllint.cli.progress import progress
    from dllint.engine.files import find_files
    from dllint.migrate.project import configuration_for, migrate_files, write

    overrides: dict[str, Any] = {}
    if options["exclude"]:
        overrides["extend_exclude"] = options["exclude"]
    if (python := environment(options["python"], options["no_environment"])) is not None:
        overrides["python"] = python
    configuration = configuration_for(goals, overrides, isolated=options["isolated"])
    found = find_files(paths, configuration)
    files = [path for path in found.files if path.suffix in (".py", ".pyi", ".ipynb")]
    with progress(len(files), wanted=not options["quiet"] and sys.stderr.isatty()) as advance:
        results = migrate_files(files, configuration, goals, advance)
    if not options["diff"]:
        write(results)
    _print(results, goals, options)
    for path in found.missing:
        say(f"error: {path}: no such file or directory")
    broken = found.missing or any(not notice.expected for done in results for notice in done.notices)
    would_change = options["diff"] and any(done.changed for done in results)
    return UNUSABLE if broken else int(would_change or any(done.left for done in results))


def _print(results: Sequence[Migrated], goals: Sequence[Goal], options: dict[str, Any]) -> None:
    from dllint.engine.apply import unified
    from dllint.migrate.report import as_data, lines
    from dllint.report.json_text import json_text
    from dllint.report.listing import Listing
    from dllint.source.neutral import neutral_path, neutral_source

    listing = Listing([], lambda path, cell: "")
    shown = {done.path: str(neutral_path(listing.shown(done.path))) for done in results}
    for notice in {str(notice): notice for done in results for notice in done.notices}.values():
        say(str(notice))
        if notice.traceback:
            say_lines(notice.traceback)
    if options["output_format"] == "json":
        click.echo(json_text(as_data(results, goals, shown, written=not options["diff"])))
        return
    if options["diff"]:
        for done in results:
            if done.changed:
                text = unified(shown[done.path], *done.texts)
                sys.stdout.write(neutral_source(text) if sys.stdout.isatty() else text)
    out = list(lines(results, shown))
    for line in out if not options["quiet"] else out[:-1]:
        if options["diff"]:
            say(line)
        else:
            click.echo(line)
