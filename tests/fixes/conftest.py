"""A way to write one edit as text: the source, the builder, the source after it."""

import ast
from collections.abc import Callable, Iterable
from pathlib import Path

import libcst as cst
import pytest

from dllint.edit import Edit
from dllint.ir.program import Site
from dllint.source.document import Document
from dllint.source.positions import nested


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap; insertions at one place keep their order."""
    out, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        assert edit.start >= at, "overlapping edits"
        out += [text[at : edit.start], edit.content]
        at = edit.end
    result = "".join(out) + text[at:]
    ast.parse(result)
    return result


def site_of(document: Document, code: str, kind: type = cst.Call) -> Site:
    """The site of the shortest node of a kind whose code, its own parentheses apart, starts with ``code``."""
    found = []
    for top in document.body:
        for statement in (top, *nested(top)):
            todo = list(statement.children) if isinstance(statement, cst.SimpleStatementLine) else []
            while todo:
                node = todo.pop(0)
                text = cst.Module([]).code_for_node(node)
                if isinstance(node, kind) and text.lstrip("(").startswith(code):
                    found.append((len(text), len(found), Site(document, statement, node)))
                todo[:0] = node.children
    return min(found)[2]


@pytest.fixture
def edited() -> Callable[..., str]:
    """``edited(source, code, builder, kind)``: the source after the edits of ``builder(site)`` at a node."""

    def edit(source: str, code: str, builder: Callable[[Site], Iterable[Edit]], kind: type = cst.Call) -> str:
        document = Document.from_text(Path("a.py"), source)
        assert document.problem is None
        return applied(source, builder(site_of(document, code, kind)))

    return edit
