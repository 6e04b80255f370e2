"""The closing lines of the text formats, and ``--statistics``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dllint.edit import Applicability
from dllint.report.listing import Listing, counted


def closing(listing: Listing) -> Iterator[str]:
    """How many findings there are and how many of them ``--fix`` would repair."""
    if listing.quiet:
        return
    found = len(listing.findings)
    if listing.fixed:
        yield f"Found {counted(found + listing.fixed, 'finding')} ({listing.fixed} fixed, {found} remaining)."
    elif found:
        yield f"Found {counted(found, 'finding')}."
    else:
        yield "All checks passed!"
    yield from _fixable(listing)


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
    counts = Counter((finding.code, finding.name) for finding in listing.findings)
    fixable = {finding.code for finding in listing.findings if listing.fix_of(finding) is not None}
    width = max((len(str(count)) for count in counts.values()), default=0)
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>{width}}\t{code}\t{'[*]' if code in fixable else '[ ]'} {name}"
