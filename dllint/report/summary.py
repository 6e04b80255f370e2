"""The closing lines of the text formats (findings, fixes, what was followed), and ``--statistics``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dllint.edit import Applicability
from dllint.engine.figures import in_words
from dllint.report.json_text import json_text
from dllint.report.listing import Listing, counted


def closing(listing: Listing) -> Iterator[str]:
    """How many findings there are, how many of them ``--fix`` would repair, and what was followed."""
    if listing.quiet:
        return
    found = len(listing.findings)
    if listing.fixed:
        yield f"Found {counted(found + listing.fixed, 'finding')} ({listing.fixed} fixed, {found} remaining)."
    elif found:
        yield f"Found {counted(found, 'finding')}."
    elif (verdict := _nothing_found(listing)) is not None:
        yield verdict
    yield from _fixable(listing)
    if listing.figures is not None:
        yield in_words(listing.figures)
    yield from listing.notes


def _nothing_found(listing: Listing) -> str | None:
    """What the silence means: that all is well only if everything was looked at."""
    figures = listing.figures
    if listing.stale:
        return f"The baseline holds {counted(listing.stale, 'finding')} that {'is' if listing.stale == 1 else 'are'} gone."
    if listing.known:
        return "No new findings."
    if figures is None or figures.is_whole:
        return "All checks passed!"
    return "No faults in what was followed." if figures.places or figures.obstacles else None


def _fixable(listing: Listing) -> Iterator[str]:
    ready = sum(listing.fix_of(finding) is not None for finding in listing.findings)
    waiting = sum(
        listing.fix_of(finding) is None and any(fix.applicability is Applicability.UNSAFE for fix in finding.local_fixes)
        for finding in listing.findings
    )
    hidden = f"{waiting} {'more ' if ready else ''}{'fix' if waiting == 1 else 'fixes'}"
    if ready and waiting:
        yield f"[*] {ready} fixable with `--fix` ({hidden} can be applied with `--unsafe-fixes`)."
    elif ready:
        yield f"[*] {ready} fixable with `--fix`."
    elif waiting:
        yield f"No fixes apply by default ({hidden} can be applied with `--unsafe-fixes`)."


def statistics(listing: Listing) -> Iterator[str]:
    """One line per rule: how often it was found, most frequent first."""
    rows = list(_counts(listing))
    width = max((len(str(count)) for _, _, count, _ in rows), default=0)
    for code, name, count, fixable in rows:
        yield f"{count:>{width}}\t{code}\t{'[*]' if fixable else '[ ]'} {name}"


def statistics_as_json(listing: Listing) -> Iterator[str]:
    """The same as a list of objects."""
    names = ("code", "name", "count", "fixable")
    yield json_text([dict(zip(names, row, strict=True)) for row in _counts(listing)])


def _counts(listing: Listing) -> Iterator[tuple[str, str, int, bool]]:
    """Code, name, number of findings, and whether ``--fix`` would repair any, of every rule that was found."""
    counts = Counter((finding.code, finding.name) for finding in listing.findings)
    fixable = {finding.code for finding in listing.findings if listing.fix_of(finding) is not None}
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield code, name, count, code in fixable
