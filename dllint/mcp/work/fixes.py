"""The tool ``fixes``: the proved fixes of a file's findings, as edits. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from dllint.cli.opening import Opened, open_analysed
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Finding
from dllint.mcp.answers import FixesAnswer, Repair, TextEdit
from dllint.mcp.questions import Around, Fixes
from dllint.mcp.work.faults import order, placer
from dllint.report.listing import Listing

_MOST: Final = 20


def fixes(asked: Fixes, around: Around) -> FixesAnswer:
    """The fixes that pass the gate, of the findings that are asked for, errors first."""
    opened = open_analysed(asked.path, around.python)
    found: list[Repair] = []
    without = left = 0
    for finding in sorted(_wanted(opened, asked), key=order):
        if len(found) >= _MOST:
            left += 1
            continue
        own = [fix for fix in finding.fixes if _may_be_shown(fix, asked, around)]
        without += not own
        found += (_repair(finding, fix, opened, around) for fix in own)
    return FixesAnswer(found[:_MOST], without, left + max(0, len(found) - _MOST))


def _wanted(opened: Opened, asked: Fixes) -> Iterator[Finding]:
    """The findings that are asked for, in terms of cells, with their proved fixes."""
    for found in opened.analysis.findings:
        here = found.seen_from(asked.path)
        place = opened.localized(here) if here is not None else None
        if place is None or (asked.code and asked.code not in (found.code, found.name)):
            continue
        span = place.location.span
        at_line = asked.line is None or span.first.line <= asked.line <= span.last.line
        if at_line and (asked.cell is None or place.location.cell == asked.cell):
            proved = opened.session.fixes_for(opened.analysis, found) if opened.session is not None else ()
            yield replace(place, fixes=opened.localized(replace(found, fixes=proved)).fixes)


def _may_be_shown(fix: Fix, asked: Fixes, around: Around) -> bool:
    """Whether a fix is wanted and changes nothing outside of the roots."""
    wanted = fix.applicability is Applicability.SAFE or (asked.unsafe and fix.applicability is Applicability.UNSAFE)
    return wanted and all(around.roots.holds(edit.path) for edit in fix.edits)


def _repair(finding: Finding, fix: Fix, opened: Opened, around: Around) -> Repair:
    listing = Listing([finding], opened.text)
    return Repair(
        placer(listing, around.roots)(finding.location),
        finding.code,
        finding.message,
        fix.message,
        fix.applicability is Applicability.SAFE,
        [_edit(edit, listing, around) for edit in fix.edits],
    )


def _edit(edit: Edit, listing: Listing, around: Around) -> TextEdit:
    first, last = listing.edit_positions(edit)
    old = listing.source(edit.path, edit.cell).text[edit.start : edit.end]
    path = around.roots.shown(edit.path)
    return TextEdit(path, first.line, first.column, last.line, last.column, old, edit.content, edit.cell)
