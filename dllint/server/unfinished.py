"""Where runs have ended early: what else the names there hold is not known.

A run that is out of fuel stops in the middle of a function. Of what stands from there to the end of it, and to the ends of the
functions that have called it, it shows nothing; what other runs have shown there is not all that there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst

from dllint.ir.program import Program, Site
from dllint.source.document import Document
from dllint.source.walk import walk

_HOLDERS = (libcst.FunctionDef, libcst.For, libcst.While)
#: First and last offset of a piece of text.
Extent = tuple[int, int]


def unfinished(document: Document, programs: Sequence[Program]) -> tuple[Extent, ...]:
    """The pieces of a document that runs have entered, or would have, and not gone through to their ends."""
    found: dict[Extent, None] = {}
    for program in programs:
        if program.ran_out and program.trace:
            for site in program.trace[-1].site.stack():
                if site.document is document and site.statement is not None:
                    found |= dict.fromkeys(_rest(document, site))
    return tuple(found)


def _rest(document: Document, site: Site) -> Iterator[Extent]:
    """What follows a place: to the end of its function, or of the file without its functions and classes."""
    place = document.span(site.statement, site.node).start
    for top in document.body:
        start, end = _extent(document, top)
        if end <= place:
            continue
        around = [node for node in walk(top) if isinstance(node, _HOLDERS) and _holds(_extent(document, node), place)]
        function = next((node for node in reversed(around) if isinstance(node, libcst.FunctionDef)), None)
        if function is not None:
            around = around[around.index(function) + 1 :]
            yield _start(document, around, place), _extent(document, function)[1]
            return
        if not isinstance(top, (libcst.FunctionDef, libcst.ClassDef)):
            yield max(start, _start(document, around, place)), end


def _start(document: Document, around: Sequence[libcst.CSTNode], place: int) -> int:
    """A place, or where the loop begins that it is in, which may come to its beginning again."""
    loop = next((node for node in around if isinstance(node, (libcst.For, libcst.While))), None)
    return place if loop is None else _extent(document, loop)[0]


def _holds(extent: Extent, place: int) -> bool:
    return extent[0] <= place < extent[1]


def _extent(document: Document, statement: libcst.CSTNode) -> Extent:
    span = document.extent(statement)
    return span.start, span.end
