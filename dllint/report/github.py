"""Workflow commands of GitHub Actions: each finding becomes an annotation of the pull request, the most severe first, its
advice on a line of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.finding import Finding, Severity
from dllint.report.concise import line
from dllint.report.listing import Listing

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", Severity.HINT: "notice"}


def render(listing: Listing) -> Iterator[str]:
    """One command per finding. GitHub shows ten per severity and step; the log shows all."""
    for finding in sorted(listing.findings, key=lambda finding: finding.severity.rank):
        yield _command(finding, listing)


def _command(finding: Finding, listing: Listing) -> str:
    span = finding.location.span
    first, last = listing.lines_in_file(finding.location)
    place = f"line={first},endLine={last}"
    if finding.location.in_file and first == last:
        place = f"line={first},col={span.first.column},endLine={last},endColumn={span.last.column}"
    file = _escape_property(listing.shown(finding.location.path))
    title = _escape_property(f"dllint ({finding.code})")
    text = line(finding, listing) + (f"\nhelp: {finding.advice}" if finding.advice else "")
    return f"::{_COMMANDS[finding.severity]} title={title},file={file},{place}::{_escape(text)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
