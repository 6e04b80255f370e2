"""Checking a graph that is not source, and telling what is found in terms of its nodes.

- Nothing repairs a graph (``Document.editable``), so no fixes are built; work grows in proportion to nodes and
  findings (``tests/engine/test_large_graphs.py``).
- The source line that a node was traced from is the first related place, if the file is there, is Python, and has the
  line that the graph quotes.
- Whatever is wrong with a file is a ``GraphError``, reported as ``io-error``; a package that is not installed gives
  the notice ``missing-extra``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from dllint.config.options import Settings
from dllint.engine.analysis import Analyser, Analysis, Traced
from dllint.engine.failing import crash
from dllint.engine.results import IO_ERROR, FileResult, Notice, problem
from dllint.engine.seen import followed
from dllint.finding import Finding, Related
from dllint.lower.graphs.builder import Imported
from dllint.lower.graphs.errors import GraphError, MissingExtraError
from dllint.lower.graphs.formats import Format, import_file
from dllint.lower.graphs.model import Frame, Node
from dllint.source.document import Document
from dllint.source.encoding import UndecodableError, decode
from dllint.source.lazy import LazyDocument
from dllint.source.lines import Lines
from dllint.source.pragmas import Suppressions
from dllint.source.regular import read_regular
from dllint.span import Location

#: Notes about one file that are reported, at most.
_MOST_NOTES: Final = 5
_SOURCE_SUFFIX: Final = ".py"
_LARGEST_SOURCE: Final = 10_000_000


def check_graph(path: Path, form: Format, analyser: Analyser) -> FileResult:
    """The result for a graph file."""
    result = FileResult(path)
    try:
        imported = import_file(path, form)
        _tell(result, imported, analyse_graph(imported, analyser))
    except MissingExtraError as error:
        result.notices.append(Notice("missing-extra", path, str(error)))
    except (GraphError, OSError, MemoryError) as error:
        result.findings.append(unreadable(path, error))
    except Exception as error:  # a bug of ours in one file must not keep the others from being checked
        result.notices.append(crash(path, "the graph could not be analysed", error))
    return result


def _tell(result: FileResult, imported: Imported, analysis: Analysis) -> None:
    """Put findings and notices into a result."""
    nodes = Nodes(imported)
    result.before = result.after = nodes.text
    result.findings = list(nodes.findings([finding for finding in analysis.findings if not nodes.is_suppressed(finding)]))
    notes = (Notice("incomplete", result.path, note) for note in imported.graph.notes[:_MOST_NOTES])
    result.notices = [*notes, *analysis.notices]
    result.followed = followed(result.path, "", analysis.programs)


def unreadable(path: Path, error: Exception) -> Finding:
    """The finding about a file that cannot be read as a graph."""
    reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
    return problem(IO_ERROR, path, 1, 1, f"cannot be read: {reason}")


def analyse_graph(imported: Imported, analyser: Analyser) -> Analysis:
    """The findings about a graph; places are those of its listing."""
    _state_ranges(imported, analyser.settings)

    def trace(document: Document) -> Traced:
        return Traced(document, [imported.program])

    return replace(analyser, trace=trace, _answered={}).analyse(imported.document)


def _state_ranges(imported: Imported, settings: Settings) -> None:
    """Put the ranges that the configuration states on the inputs, weights and other values that they name."""
    if not settings.ranges:
        return
    from dllint.config.ranges import ranges_in, stated_for

    ranges = ranges_in(settings.ranges, imported.document.path, settings.root)
    for name, value in imported.values.items():
        value.stated = stated_for(ranges, (name, f"{name}:0")) or value.stated


@dataclass(eq=False)
class Nodes:
    """The way from the listing of a graph to its nodes, and to the source lines they were traced from."""

    imported: Imported

    @property
    def text(self) -> str:
        """The text that places refer to: the file, if it is text, else the listing."""
        return self.imported.graph.text if self.imported.graph.text is not None else self.imported.document.text

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    def findings(self, found: list[Finding]) -> Iterator[Finding]:
        """Findings about the listing, given in terms of nodes. Nothing repairs a graph."""
        for finding in found:
            related = (*self.source(finding.location), *self._places(finding.related))
            place, flow = self.location(finding.location), tuple(self._places(finding.flow))
            yield replace(finding, location=place, related=related, flow=flow, fixes=())

    def _places(self, places: Iterable[Related]) -> Iterator[Related]:
        return (replace(place, location=self.location(place.location)) for place in places)

    def location(self, location: Location) -> Location:
        """A place in the listing as a place of a node."""
        node = self._node(location)
        if location.path != self.imported.document.path:
            return location
        is_text = self.imported.graph.text is not None
        if node is not None and is_text and 0 < node.line <= len(self._lines.starts):
            return Location(location.path, self._lines.line_span(node.line), node=node.name)
        name = node.name if node is not None else self._given(location)
        return replace(location, node=name, listed=True)

    def line_of(self, name: str) -> int | None:
        """The 1-based line of the listing on which a node, or what gives a value, stands."""
        document = self.imported.document
        named = (number for number, node in enumerate(document.nodes) if node is not None and node.name == name)
        found = next(named, document.lines_of.get(name))
        return None if found is None else found + 1

    def source(self, location: Location) -> Iterator[Related]:
        """The source line that a node was traced from, if the file is here and has that line."""
        node = self._node(location)
        for frame in reversed(node.trace if node is not None else ()):
            found = _source_line(frame)
            if found is not None:
                yield Related(found, "the node was traced from this line")
                return

    def is_suppressed(self, finding: Finding) -> bool:
        """Whether a comment at the source line that a node was traced from suppresses a finding about it."""
        for place in self.source(finding.location):
            path, line = place.location.path, place.location.span.first.line
            document = LazyDocument.from_text(path, decode(read_regular(path, _LARGEST_SOURCE))[0])
            return Suppressions.of(document).matches(finding.code, finding.name, line)
        return False

    def _given(self, location: Location) -> str:
        """The name of the input or weight on a line of the listing."""
        lines = self.imported.document.lines_of
        return next((name for name, number in lines.items() if number == location.span.first.line - 1), "")

    def _node(self, location: Location) -> Node | None:
        document = self.imported.document
        number = location.span.first.line - 1
        inside = location.path == document.path and 0 <= number < len(document.nodes)
        return document.nodes[number] if inside else None


def _source_line(frame: Frame) -> Location | None:
    """The line that a frame names. A graph may name any file: only Python files are looked into, and only the line counts
    that is as the graph quotes it."""
    path = Path(frame.path)
    if path.suffix != _SOURCE_SUFFIX or not frame.text or _is_library(path):
        return None
    try:
        text = decode(read_regular(path, _LARGEST_SOURCE))[0]
    except (OSError, ValueError, UndecodableError):
        return None
    lines = text.splitlines()
    if not 0 < frame.line <= len(lines) or lines[frame.line - 1].strip() != frame.text:
        return None
    return Location(path, Lines(text).line_span(frame.line))


def _is_library(path: Path) -> bool:
    return any(part in ("site-packages", "dist-packages") for part in path.parts) or path.is_relative_to(sys.base_prefix)
