"""``dllint mcp``: the server for coding agents."""

from __future__ import annotations

import gc
from importlib.util import find_spec
from pathlib import Path

import click

from dllint.cli.failures import Failure


@click.command("mcp")
@click.argument("roots", nargs=-1, metavar="[ROOT]...", type=click.Path(path_type=Path))
@click.option("--python", default="", metavar="PATH", help="The environment whose installed packages are read, or `none`.")
@click.option("--allow-run", is_flag=True, help="Offer `diagnose`, which runs training scripts below the roots.")
@click.option("--interpreter", default="", metavar="PATH", help="The Python that runs them; by default the one of dllint.")
@click.option(
    "--max-answer-seconds", default=120.0, show_default=True, type=click.FloatRange(min=1), help="The time for an answer."
)
@click.option(
    "--max-run-seconds",
    default=600.0,
    show_default=True,
    type=click.FloatRange(min=1),
    help="The time for a script that is run.",
)
def command(
    roots: tuple[Path, ...],
    python: str,
    allow_run: bool,
    interpreter: str,
    max_answer_seconds: float,
    max_run_seconds: float,
) -> None:
    """Serve coding agents on standard input and output (Model Context Protocol).

    They may ask about files below ROOT (the working directory by default): findings, shapes, summaries, fixes. Nothing is
    written, and nothing is run without --allow-run.
    """
    if find_spec("mcp") is None or find_spec("mcp.server.mcpserver") is None:
        raise Failure("this needs the SDK of the protocol: pip install 'dllint[mcp]'")
    gc.enable()  # the command line does without; a server lives long
    from dllint.mcp.roots import RefusedError, Roots
    from dllint.mcp.tools import Options, make_server

    try:
        found = Roots.of(roots or (Path.cwd(),))
    except RefusedError as error:
        raise Failure(str(error)) from error
    named = python if python in ("", "none") else str(Path(python).expanduser().absolute())
    options = Options(found, named, allow_run, interpreter, max_answer_seconds, max_run_seconds)
    make_server(options).run("stdio")
