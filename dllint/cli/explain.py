"""``dllint explain``: what is known at a place of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from dllint.cli.failures import Failure
from dllint.cli.opening import Opened, open_analysed
from dllint.engine.evidence import operations
from dllint.report.full import block
from dllint.report.listing import Listing
from dllint.report.neutral import neutralised
from dllint.report.style import Style
from dllint.source.neutral import neutral, neutral_lines
from dllint.span import Span

_PLACE = re.compile(
    r"(?P<path>.+?)(?::node (?P<node>.+)|(?::cell (?P<cell>\d+))?:(?P<line>\d+)(?::(?P<column>\d+))?)", re.DOTALL
)


@click.command("explain")
@click.argument("place", metavar="FILE[:cell N]:LINE[:COLUMN] | FILE:node NAME")
def command(place: str) -> None:
    """Tell what is known at a place: the findings with their related places, the types of the tensors there, the intervals that
    hold their elements, and where these come from."""
    match = _PLACE.fullmatch(place)
    if match is None:
        forms = "FILE:LINE or FILE:LINE:COLUMN, in a notebook FILE:cell N:LINE, in a graph FILE:node NAME"
        raise Failure(f"`{place}` is no place; write {forms}")
    path, line, column = Path(match["path"]), int(match["line"] or 0), match["column"]
    opened = open_analysed(path)
    analysis = opened.analysis
    if match["node"]:
        line = _line_of_node(opened, match["node"])
    elif match["cell"]:
        line = _line_in_cell(opened, int(match["cell"]), line)
    elif not 1 <= line <= len(analysis.document.lines.starts):
        raise Failure(f"{path} has {len(analysis.document.lines.starts)} lines")
    shown = [*_findings(opened, line), *_values(opened, line, int(column) if column else None)]
    click.echo(neutral_lines("\n".join(shown) if shown else f"Nothing is known about tensors at {neutral(place)}."))


def _line_in_cell(opened: Opened, cell: int, line: int) -> int:
    """The line of a notebook's module that is a line of one of its cells."""
    found = opened.notebook.line_of(cell, line) if opened.notebook is not None else None
    if found is None:
        raise Failure(f"{opened.path} has no line {line} in a Python cell {cell}")
    return found


def _line_of_node(opened: Opened, name: str) -> int:
    """The line of a graph's listing that stands for a node, or for an input or weight."""
    found = opened.nodes.line_of(name) if opened.nodes is not None else None
    if found is None:
        raise Failure(f"{opened.path} has no node {name}")
    return found


def _findings(opened: Opened, line: int) -> Iterator[str]:
    path = opened.analysis.document.path
    seen = (finding.seen_from(path) for finding in opened.analysis.findings)
    spans = [(finding, finding.location.span) for finding in seen if finding is not None]
    found = [opened.localized(finding) for finding, span in spans if span.first.line <= line <= span.last.line]
    listing = neutralised(Listing(found, opened.text))
    for finding in listing.findings:
        yield from block(finding, listing, Style(on=False))
        yield ""


def _values(opened: Opened, line: int, column: int | None) -> Iterator[str]:
    """One text per operation that starts on the line, or whose text contains the column, for every traced context."""
    analysis = opened.analysis
    return operations(analysis.programs, analysis.document, lambda span: _at(span, line, column), opened.place)


def _at(span: Span, line: int, column: int | None) -> bool:
    if column is None:
        return span.first.line <= line <= span.last.line
    return (span.first.line, span.first.column) <= (line, column) < (span.last.line, span.last.column)
