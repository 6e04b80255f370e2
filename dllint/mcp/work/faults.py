"""Findings as agents get them: cited, in a line each, without the long texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dllint.finding import Finding
from dllint.mcp.answers import Fault
from dllint.mcp.roots import Roots
from dllint.report.listing import Listing
from dllint.source.neutral import neutral
from dllint.span import Location

#: Characters of a quoted source line, and related places of a finding.
_LONGEST: int = 160
_MOST_RELATED: int = 4


def fault(finding: Finding, listing: Listing, roots: Roots) -> Fault:
    """A finding; of files outside of the roots nothing is quoted."""
    place = placer(listing, roots)
    related = [f"{place(item.location)}: {item.message}" for item in (*finding.related, *finding.flow)]
    return Fault(
        place(finding.location),
        finding.code,
        finding.name,
        finding.severity.value,
        finding.confidence.value,
        finding.message,
        finding.advice,
        quoted(finding.location, listing, roots),
        list(dict.fromkeys(related))[:_MOST_RELATED],
        bool(finding.fixes),
    )


def placer(listing: Listing, roots: Roots) -> Callable[[Location], str]:
    """How places are cited: as in reports, with paths as the roots show them."""

    def place(location: Location) -> str:
        text = listing.place(location)
        return neutral(roots.shown(location.path) + text.removeprefix(listing.shown(location.path)))

    return place


def quoted(location: Location, listing: Listing, roots: Roots) -> str:
    """The source line of a place, without its indentation; empty where there is none to show."""
    if not roots.holds(location.path):
        return ""
    try:
        line = listing.source(location.path, location.cell).line(location.span.first.line)
    except (OSError, KeyError):
        return ""
    text = neutral(line.strip())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def order(finding: Finding) -> tuple[int, str, int, int, int, str]:
    """Errors first, then by place."""
    first = finding.location.span.first
    cell = finding.location.cell or 0
    return finding.severity.rank, str(finding.location.path), cell, first.line, first.column, finding.code


def shown_faults(findings: Sequence[Finding], listing: Listing, roots: Roots, most: int) -> tuple[list[Fault], int]:
    """The first findings and how many others there are."""
    kept = sorted(findings, key=order)[:most]
    return [fault(finding, listing, roots) for finding in kept], len(findings) - len(kept)
