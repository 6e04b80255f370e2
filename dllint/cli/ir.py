"""``dllint ir``: the traced programs of a file in their text form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from dllint.analysis.facts import Facts
from dllint.cli.failures import Failure
from dllint.cli.opening import open_analysed
from dllint.ir.printer import Printer
from dllint.ir.program import Program, TensorVal
from dllint.ir.verifier import problems
from dllint.rules.numeric_evidence import range_text
from dllint.source.neutral import neutral_lines


@click.command("ir")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--entry", help="Only the program of this entry (`<module>`, `Net.forward`).")
@click.option("--events", is_flag=True, help="Print events between the operations.")
@click.option("--ranges", is_flag=True, help="Print in which interval the elements of each result lie, where it is known.")
@click.option("--verify", is_flag=True, help="Check the programs for inconsistencies of dllint's own making.")
@click.option("--python", default="", metavar="PATH", help="The environment whose installed packages are read, or `none`.")
def command(file: Path, entry: str | None, events: bool, ranges: bool, verify: bool, python: str) -> None:
    """Print what FILE computes: every traced operation with its shapes and types."""
    opened = open_analysed(file, python)
    programs = [p for p in opened.analysis.programs if entry is None or p.entry == entry]
    printed = (
        Printer(with_events=events, place=opened.place, note=_ranges(program) if ranges else None).program(program)
        for program in programs
    )
    click.echo(neutral_lines("\n".join(printed)), nl=False)
    wrong = [f"{program.entry}: {problem}" for program in programs for problem in problems(program)] if verify else []
    if wrong:
        raise Failure("; ".join(wrong))


def _ranges(program: Program) -> Callable[[TensorVal], str]:
    """What to print of a result's range: the interval, with the origins of its ends."""
    found = Facts(program).ranges

    def note(value: TensorVal) -> str:
        interval = found.of(value)
        return range_text(interval) or (f"in {interval}" if interval.known else "")

    return note
