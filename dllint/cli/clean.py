"""``dllint clean``: remove the cache."""

from __future__ import annotations

from pathlib import Path

import click

from dllint.cli.failures import Failure, say
from dllint.config.discovery import configure
from dllint.config.errors import ConfigError
from dllint.source.neutral import neutral


@click.command("clean")
@click.option("--cache-dir", metavar="DIR", envvar="DLLINT_CACHE_DIR", help="The directory of the cache.")
def command(cache_dir: str | None) -> None:
    """Remove the results that earlier runs have kept in the cache directory of the present directory's configuration."""
    from dllint.engine.cache import clean

    try:
        settings = configure((), {}, False).for_directory(Path.cwd())
        for text in settings.refused:
            say(f"ignored: {text}")
    except ConfigError as error:
        raise Failure(error) from error
    directory = Path(cache_dir).expanduser().absolute() if cache_dir else settings.root / settings.cache_dir
    try:
        removed = clean(directory)
    except OSError as error:
        raise Failure(f"cannot remove {directory}: {error.strerror or error}") from error
    click.echo(neutral(f"Removed {directory}." if removed else f"There is no cache of dllint in {directory}."))
