"""Exceptions of a training step that the program expects or catches, and after which it tries again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.ir.program import Event, Site
from dllint.source.walk import walk

#: What contexts are named after that expect an error.
_EXPECTS: Final = re.compile(r"raises|assert", re.IGNORECASE)


def is_expected(first: Event, later: Event) -> bool:
    """Whether the second of two events stands where an error is expected, or is caught in the same pass of a loop, or is tried
    because the first one has raised."""
    if not all(any(_is_in(part.body, frame) for frame in later.site.stack()) for part in _tries(first.site)):
        return True
    for part in reversed(enclosing(later.site)):
        if isinstance(part, (cst.For, cst.While, cst.FunctionDef)):
            return False
        if isinstance(part, cst.Try) and part.handlers:
            return True
        if isinstance(part, cst.With) and any(_EXPECTS.search(_code(item.item)) for item in part.items):
            return True
    return False


def _tries(site: Site) -> Iterator[cst.Try]:
    """The statements that catch an exception from a site, in its own function and in those that call it."""
    for frame in site.stack():
        if frame.document is not None and frame.statement is not None:
            for part in enclosing(frame):
                if isinstance(part, cst.Try) and part.handlers and _is_in(part.body, frame):
                    yield part


def _is_in(block: cst.CSTNode, site: Site) -> bool:
    return any(part is site.statement for part in walk(block))


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
