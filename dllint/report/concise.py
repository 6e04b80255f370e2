"""One line per finding: ``path:line:column: CODE [*] message``."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.finding import Finding
from dllint.report.listing import Listing
from dllint.report.summary import closing
from dllint.source.neutral import neutral_path


def render(listing: Listing) -> Iterator[str]:
    """The lines of the listing."""
    for finding in listing.findings:
        yield neutral_path(line(finding, listing))  # it begins with one
    yield from closing(listing)


def line(finding: Finding, listing: Listing) -> str:
    """One finding on one line."""
    return f"{listing.place(finding.location)}: {finding.code} {listing.mark(finding)}{finding.message}"
