"""What is told of a document that does not parse: what concerns the parts that do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dllint.engine.dispatch import Raw
from dllint.ir.program import Program
from dllint.source.document import Document
from dllint.source.in_parts import only_defines
from dllint.span import Location


def tells_all(document: Document, program: Program) -> bool:
    """Whether a program has all that its source says. The one of the top level has not where a part never parsed that is more
    than definitions: what is missing there may be what a rule asks for."""
    if document.problem is None or program.entry != "<module>":
        return True
    return all(only_defines(chunk.text) for chunk in document.chunks if chunk.tree is None)


def in_good_parts(document: Document, raws: Iterable[Raw]) -> Iterator[Raw]:
    """The findings whose places in a document are where it parses; without their related places that are not."""
    if document.problem is None:
        yield from raws
        return
    for raw in raws:
        finding = raw.finding
        related = tuple(place for place in finding.related if _parses(document, place.location))
        is_own = finding.location.path == document.path
        if _parses(document, finding.location) and (is_own or related == finding.related):
            yield raw if related == finding.related else replace(raw, finding=replace(finding, related=related))


def _parses(document: Document, location: Location) -> bool:
    """Whether a place is in another file, or in chunks that parse."""
    if location.path != document.path:
        return True
    chunks = (document.chunk_at(place.line) for place in (location.span.first, location.span.last))
    return all(chunk is not None and chunk.problem is None for chunk in chunks)
