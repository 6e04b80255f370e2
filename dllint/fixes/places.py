"""Offsets that edit builders need: nodes with their parentheses, lines, neighbours in the tree."""

from __future__ import annotations

import re
from typing import Any

import libcst as cst

from dllint.edit import Edit
from dllint.ir.program import Site
from dllint.source.document import Document
from dllint.source.positions import nested

_REST_OF_LINE = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?")
_BREAK = re.compile(r"\r\n|\r|\n")


def inner(site: Site, node: cst.CSTNode) -> tuple[int, int]:
    """Offsets of a node of the site's statement, without its own parentheses."""
    span = site.document.span(site.statement, node)
    return span.start, span.end


def outer(site: Site, node: Any) -> tuple[int, int]:
    """Offsets of an expression with its own parentheses."""
    start, end = inner(site, node)
    if getattr(node, "lpar", None):
        start = site.document.span(site.statement, node.lpar[0]).start
        end = site.document.span(site.statement, node.rpar[-1]).end
    return start, end


def replacing(site: Site, start: int, end: int, content: str) -> Edit:
    """An edit of the site's document."""
    return Edit(site.document.path, start, end, content)


def line_break(document: Document) -> str:
    """The line break the document uses."""
    found = _BREAK.search(document.text)
    return found[0] if found else "\n"


def line_start(document: Document, offset: int) -> int:
    """Where the line of an offset starts."""
    return document.lines.starts[document.position(offset).line - 1]


def code_end(document: Document, offset: int) -> int | None:
    """The end of the line, its break excluded, if only white space and a comment follow ``offset``; else ``None``."""
    match = _REST_OF_LINE.match(document.text, offset)
    end = match.end() if match else offset
    return end if end == len(document.text) or document.text[end] in "\r\n" else None


def own_indentation(document: Document, offset: int) -> str | None:
    """The white space in front of ``offset`` if nothing else stands there on its line; else ``None``."""
    before = document.text[line_start(document, offset) : offset]
    return before if not before.strip() else None


def next_line(document: Document, offset: int) -> int:
    """Where the line after that of ``offset`` starts; the end of the text on the last line."""
    line = document.position(offset).line
    starts = document.lines.starts
    return starts[line] if line < len(starts) else len(document.text)


def parent(statement: cst.CSTNode, node: cst.CSTNode) -> Any:
    """The node of which ``node`` is a direct child, within a statement; ``None`` for the statement itself."""
    todo = [statement]
    while todo:
        current = todo.pop()
        children = current.children
        if any(child is node for child in children):
            return current
        todo.extend(children)
    return None


def block_of(document: Document, statement: cst.CSTNode) -> list[Any]:
    """The statements among which a statement stands (itself included); empty for a clause such as ``elif``."""
    if any(top is statement for top in document.body):
        return list(document.body)
    for top in document.chunk_of(statement).statements:
        for part in (top, *nested(top)):
            suite = getattr(part, "body", None)
            if isinstance(suite, cst.IndentedBlock) and any(member is statement for member in suite.body):
                return list(suite.body)
    return []
