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
#: What a training loop catches to be stopped by its user.
_STOPPED: Final = "KeyboardInterrupt"


def is_expected(first: Event, later: Event) -> bool:
    """Whether the second of two events stands where an error is expected, or is caught in the same pass of a loop, or is tried
    because the first one has raised."""
    if not all(any(_is_in(part.body, frame) for frame in later.site.stack()) for part in _tries(first.site)):
        return True
    for part in reversed(enclosing(later.site)):
        if isinstance(part, (cst.For, cst.While, cst.FunctionDef)):
            return False
        if expects(part):
            return True
    return False


def is_caught(site: Site) -> bool:
    """Whether a place, or a call that leads to it, stands where its exception is caught or expected."""
    frames = (frame for frame in site.stack() if frame.document is not None and frame.statement is not None)
    return any(expects(part) for frame in frames for part in enclosing(frame))


def expects(part: cst.CSTNode) -> bool:
    """Whether a statement catches exceptions, other than that by which its user stops it, or a context of it expects one."""
    if isinstance(part, cst.Try):
        return any(handler.type is None or _STOPPED not in _code(handler.type) for handler in part.handlers)
    return isinstance(part, cst.With) and any(_EXPECTS.search(_code(item.item)) for item in part.items)


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
