"""Edits of whole statements."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.boundary import builder
from dllint.fixes.places import block_of, inner, line_break, replacing
from dllint.ir.program import Site
from dllint.source.walk import small_statements, walk


@builder
def insert_before(site: Site, text: str) -> tuple[Edit, ...]:
    """New lines in front of the site's statement, indented as it is. No edit before a clause such as ``elif``."""
    if not block_of(site.document, site.statement):
        return ()
    start = site.document.extent(site.statement).start
    return (replacing(site, start, start, _lines(site, text) + line_break(site.document)),)


@builder
def insert_after(site: Site, text: str) -> tuple[Edit, ...]:
    """New lines behind the site's statement and its body, indented as it is. No edit after a clause."""
    if not block_of(site.document, site.statement):
        return ()
    end = site.document.extent(site.statement).end
    lines, newline = _lines(site, text), line_break(site.document)
    if site.document.text[:end].endswith(("\n", "\r")):
        return (replacing(site, end, end, lines + newline),)
    return (replacing(site, end, end, newline + lines),)


@builder
def delete(site: Site) -> tuple[Edit, ...]:
    """The site's statement goes; a block that would be empty gets ``pass``.

    Of several statements on one line, only the one that holds the site's node goes."""
    statement = site.statement
    on_one_line = small_statements(statement)
    if len(on_one_line) > 1:
        return _delete_small(site, on_one_line)
    if isinstance(statement, cst.SimpleStatementSuite):
        return (replacing(site, *inner(site, on_one_line[0]), "pass"),)
    block = block_of(site.document, statement)
    if not block:
        return ()
    span = site.document.extent(statement)
    if len(block) == 1 and block[0] not in site.document.body:
        code = site.document.span(statement)
        indentation = site.document.indentation(statement)
        end = code.end if isinstance(statement, cst.SimpleStatementLine) else _code_end(site, span.end)
        return (replacing(site, span.start, end, f"{indentation}pass"),)
    return (replacing(site, span.start, span.end, ""),)


@builder
def replace_assignment(site: Site, text: str) -> tuple[Edit, ...]:
    """The assignment of which the site's node is the only target or the value becomes ``text``."""
    for small in small_statements(site.statement):
        if isinstance(small, cst.Assign) and len(small.targets) == 1 and site.node in (small.targets[0].target, small.value):
            return (replacing(site, *inner(site, small), text),)
    return ()


@builder
def swap(first: Site, second: Site) -> tuple[Edit, ...]:
    """Two statements change places; no edit if they are not of one block."""
    block = block_of(first.document, first.statement)
    if first.document is not second.document or not any(member is second.statement for member in block):
        return ()
    a, b = first.document.extent(first.statement), first.document.extent(second.statement)
    text = first.document.text
    a_end, b_end = _code_end(first, a.end), _code_end(first, b.end)
    return (
        replacing(first, a.start, a_end, text[b.start : b_end]),
        replacing(first, b.start, b_end, text[a.start : a_end]),
    )


@builder
def enclose(site: Site, statement: cst.CSTNode, header: str) -> tuple[Edit, ...]:
    """A statement of the site's document stands in the block that ``header`` opens. No edit of a clause, nor where a
    string goes over several lines, which would change."""
    document = site.document
    if not block_of(document, statement) or any(map(_goes_over_lines, walk(statement))):
        return ()
    span = document.extent(statement)
    text, newline = document.text[span.start : span.end], line_break(document)
    margin = document.indentation(statement)
    within = "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))
    return (replacing(site, span.start, span.end, f"{margin}{header}:{newline}{within}"),)


def _goes_over_lines(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.SimpleString, cst.FormattedString)) and "\n" in cst.Module([]).code_for_node(node)


def _lines(site: Site, text: str) -> str:
    indentation = site.document.indentation(site.statement)
    return line_break(site.document).join(indentation + line if line else "" for line in text.split("\n"))


def _code_end(site: Site, end: int) -> int:
    """``end`` without the line break in front of it."""
    return len(site.document.text[:end].rstrip("\r\n"))


def _delete_small(site: Site, on_one_line: Sequence[cst.BaseSmallStatement]) -> tuple[Edit, ...]:
    target = inner(site, site.node)
    places = [inner(site, small) for small in on_one_line]
    number = next((n for n, (start, end) in enumerate(places) if start <= target[0] and target[1] <= end), None)
    if number is None:
        return ()
    if number + 1 < len(places):
        return (replacing(site, places[number][0], places[number + 1][0], ""),)
    return (replacing(site, places[number - 1][1], places[number][1], ""),)
