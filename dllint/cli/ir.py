"""``dllint ir``: the analysis.programs of a file in their text form."""

from __future__ import annotations

from pathlib import Path

import click

from dllint.cli.opening import open_analysed
from dllint.ir.printer import print_program


@click.command("ir")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--entry", help="Only the program of this entry (`<module>`, `Net.forward`).")
def command(file: Path, entry: str | None) -> None:
    """Print what FILE computes: every traced operation with its shapes and types."""
    analysis = open_analysed(file)
    programs = [program for program in analysis.programs if entry is None or program.entry == entry]
    click.echo("\n\n".join(print_program(program) for program in programs))
