"""``dllint ir``: the traced programs of a file in their text form."""

from __future__ import annotations

from pathlib import Path

import click

from dllint.cli.failures import Failure
from dllint.cli.opening import open_analysed
from dllint.ir.printer import Printer
from dllint.ir.verifier import problems


@click.command("ir")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--entry", help="Only the program of this entry (`<module>`, `Net.forward`).")
@click.option("--events", is_flag=True, help="Print events between the operations.")
@click.option("--verify", is_flag=True, help="Check the programs for inconsistencies of dllint's own making.")
def command(file: Path, entry: str | None, events: bool, verify: bool) -> None:
    """Print what FILE computes: every traced operation with its shapes and types."""
    opened = open_analysed(file)
    programs = [p for p in opened.analysis.programs if entry is None or p.entry == entry]
    printed = (Printer(with_events=events, place=opened.place).program(program) for program in programs)
    click.echo("\n".join(printed), nl=False)
    wrong = [f"{program.entry}: {problem}" for program in programs for problem in problems(program)] if verify else []
    if wrong:
        raise Failure("\n".join(wrong))
