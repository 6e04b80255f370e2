"""The format for people: the message, the source with the place marked, the related places, the advice and the fix as a
small diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding
from dllint.report.listing import Listing, SourceText
from dllint.report.repairs import outcomes
from dllint.report.style import Style
from dllint.report.summary import closing
from dllint.source.lines import split_lines
from dllint.span import Location, Span

_TAB: Final = "    "
_MOST_MARKED_LINES: Final = 4
#: Of a line with more characters an excerpt is shown, and so many characters beside what it is about.
_LONG_LINE: Final = 1000
_CONTEXT: Final = 100
_APPLIED_BY: Final = {Applicability.SAFE: "", Applicability.UNSAFE: " (unsafe)", Applicability.DISPLAY: " (by hand)"}


def render(listing: Listing) -> Iterator[str]:
    """The lines of the listing."""
    style = Style(listing.color)
    for finding in listing.findings:
        yield from block(finding, listing, style)
        yield ""
    yield from closing(listing)


def block(finding: Finding, listing: Listing, style: Style) -> Iterator[str]:
    """One finding with its excerpt, related places, advice and preferred fix."""
    doubt = " (low confidence)" if finding.confidence is Confidence.LOW else ""
    label = style.severity(finding.severity, f"{finding.severity.value}[{finding.code}]{doubt}")
    yield f"{label} {listing.mark(finding)}{style.bold(finding.message)}"
    yield from _excerpt(finding.location, listing, style, "^")
    for related in finding.related:
        yield f"{style.bold('note')}: {related.message}"
        yield from _excerpt(related.location, listing, style, "-")
    if finding.advice:
        yield f"{style.bold('help')}: {finding.advice}"
    fared = outcomes(finding)
    for fix in finding.fixes:
        yield f"{style.bold('fix')}: {fix.message}{_APPLIED_BY[fix.applicability]}{_formatted(fared.get(fix))}"
    if finding.fixes:
        yield from _diff(finding.fixes[0], finding.location, listing, style)
    for fix, outcome in fared.items():
        if fix not in finding.fixes:
            yield f"{style.bold('tried')}: {fix.message}{_formatted(outcome)}"


def _formatted(outcome: str | None) -> str:
    return f": {outcome}" if outcome else ""


def _excerpt(location: Location, listing: Listing, style: Style, mark: str) -> Iterator[str]:
    first, last = location.span.first, location.span.last
    source = listing.source(location.path, location.cell)
    yield f" {style.faint('-->')} {listing.place(location)}"
    if not source.line(first.line):
        return
    end = min(last.line, first.line + _MOST_MARKED_LINES - 1)
    width = len(str(end))
    yield style.faint(" " * width + " |")
    for number in range(first.line, end + 1):
        text = source.line(number)
        start, stop = _marked(text, number, location)
        text, start, stop = _part(text, start, stop)
        yield f"{style.faint(f'{number:>{width}} |')} {text.expandtabs(len(_TAB))}".rstrip()
        marks = _marks(text, start, stop, mark)
        if marks:
            yield f"{style.faint(' ' * width + ' |')} {style.paint('1;31' if mark == '^' else '1;34', marks)}"
    if end < last.line:
        yield style.faint(" " * width + " …")


def _marked(text: str, number: int, location: Location) -> tuple[int, int]:
    """Start and end of the part of a line that is inside the location."""
    first, last = location.span.first, location.span.last
    start = first.column - 1 if number == first.line else len(text) - len(text.lstrip())
    return start, last.column - 1 if number == last.line else len(text)


def _part(text: str, start: int, stop: int) -> tuple[str, int, int]:
    """Of a very long line what stands around a part of it, and where the part is in that."""
    if len(text) <= _LONG_LINE:
        return text, start, stop
    first = max(start - _CONTEXT, 0)
    last = min(max(stop, start), start + _LONG_LINE) + _CONTEXT
    before, behind = "…" if first else "", "…" if last < len(text) else ""
    moved = len(before) - first
    part = f"{before}{text[first:last]}{behind}"
    return part, start + moved, min(stop + moved, len(part))


def _marks(text: str, start: int, stop: int, mark: str) -> str:
    """The line under a source line that marks a part of it."""
    lead = len(text[:start].expandtabs(len(_TAB)))
    body = len(text[:stop].expandtabs(len(_TAB))) - lead
    return " " * lead + mark * max(body, 1) if text.strip() else ""


def _diff(fix: Fix, found: Location, listing: Listing, style: Style) -> Iterator[str]:
    """The changed lines; those that are not in the finding's own file or cell under the place of the first."""
    for path, cell in dict.fromkeys((edit.path, edit.cell) for edit in fix.edits):
        source = listing.source(path, cell)
        if (path, cell) != (found.path, found.cell):
            start = min(edit.start for edit in fix.edits if (edit.path, edit.cell) == (path, cell))
            at = source.position(start)
            yield f" {style.faint('-->')} {listing.place(Location(path, Span(start, start, at, at), cell))}"
        for group in _line_groups([edit for edit in fix.edits if (edit.path, edit.cell) == (path, cell)], source):
            yield from _changed_lines(group, source, style)


def _line_groups(edits: Sequence[Edit], source: SourceText) -> list[list[Edit]]:
    """Edits that touch the same or adjacent lines, together."""
    groups: list[list[Edit]] = []
    last_line = -1
    for edit in sorted(edits):
        if groups and source.position(edit.start).line <= last_line:
            groups[-1].append(edit)
        else:
            groups.append([edit])
        last_line = max(last_line, source.position(edit.end).line)
    return groups


def _changed_lines(edits: list[Edit], source: SourceText, style: Style) -> Iterator[str]:
    first = source.position(edits[0].start).line
    last = source.position(max(edit.end for edit in edits)).line
    old = [source.line(number) for number in range(first, last + 1)]
    new = _after(edits, *source.extent(first, last), source.text)
    width, column = len(str(last)), source.position(edits[0].start).column - 1
    yield style.faint(" " * width + " |")
    for number, text in enumerate(old, first):
        yield style.removed(f"{number:>{width}} - {_part(text, column, column)[0]}".rstrip())
    for text in new:
        yield style.added(f"{'':>{width}} + {_part(text, column, column)[0]}".rstrip())


def _after(edits: list[Edit], begin: int, end: int, text: str) -> list[str]:
    """The lines that ``text[begin:end]`` becomes; none if nothing is left of them."""
    parts: list[str] = []
    at = begin
    for edit in sorted(edits):
        parts += [text[at : edit.start], edit.content]
        at = edit.end
    return [line.rstrip("\r\n") for line in split_lines("".join((*parts, text[at:end])))]
