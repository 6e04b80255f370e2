"""``dllint summary`` as a table: a row for each module, then totals, then what is wrong and what was not followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dllint.analysis.architecture.rows import HEAD, TEXTS, Row, Table, gaps, totals, wrongs
from dllint.analysis.architecture.tree import Module


def table(root: Module, title: str, shown: Table, asked: Sequence[str] = ()) -> Iterator[str]:
    """The lines about a model; ``asked`` is what its parameters have to fulfil."""
    found = list(shown.rows(root))
    is_marked = any(row.marks for row in found)
    lines = [(*HEAD, "Wrong")[: len(HEAD) + is_marked], *(_cells(row, is_marked) for row in found)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    yield title
    yield rule
    for number, line in enumerate(lines):
        yield _line(line, widths)
        if not number:
            yield rule
    yield rule
    yield from (f"{name}: {value}" for name, value in totals(root))
    if not root.calls:
        yield "It is not called: --input 1,3,224,224 gives it a tensor of that shape."
    yield from _listed("Runs only if:", asked)
    yield from _listed("Wrong:", wrongs(root, shown.marks))
    yield from _listed("Not followed:", gaps(root))


def _cells(row: Row, is_marked: bool) -> tuple[str, ...]:
    name, *others = row.cells
    return (f"{'  ' * row.level}{name}", *others, *((row.codes,) if is_marked else ()))


def _line(line: Sequence[str], widths: Sequence[int]) -> str:
    numbers = range(TEXTS, len(HEAD))
    cells = [
        text.rjust(width) if column in numbers else text.ljust(width)
        for column, (text, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _listed(title: str, items: Iterable[str]) -> Iterator[str]:
    lines = [f"  {item}" for item in items]
    if lines:
        yield title
        yield from lines
