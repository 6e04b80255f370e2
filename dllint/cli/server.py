"""``dllint server``: the language server."""

from __future__ import annotations

from pathlib import Path

import click

from dllint.cli.failures import Failure


@click.command("server")
@click.option("--stdio", is_flag=True, help="Accepted for editors that pass it; there is no other way.")
@click.option("--log-level", type=click.Choice(["error", "warning", "info", "debug"]), default="info", help="What is logged.")
@click.option("--log-file", type=click.Path(path_type=Path, dir_okay=False), help="Write the log to this file, too.")
def command(stdio: bool, log_level: str, log_file: Path | None) -> int:
    """Run the language server on standard input and output, for editors."""
    from dllint.server import stdio as streams

    incoming, outgoing = streams.claim()  # before anything is imported that may print
    from dllint.server.serve import serve

    try:
        return serve(incoming, outgoing, log_level, log_file)
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        raise Failure(f"cannot run the server: {what}{error.strerror or error}") from error
