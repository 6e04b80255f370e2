"""Valid Python that dllint cannot read: a notice, and no error in the code."""

from __future__ import annotations

from dllint.engine.results import SYNTAX_ERROR, FileResult, Notice
from dllint.source.parse import LIMITS


def tell_of_limits(result: FileResult) -> None:
    """Put notices in the place of the syntax errors that Python does not find."""
    limits = [finding for finding in result.findings if finding.code == SYNTAX_ERROR and finding.message in LIMITS]
    if not limits:
        return
    result.findings = [finding for finding in result.findings if finding not in limits]
    for finding in limits:
        place = f"line {finding.location.span.first.line}"
        cell = finding.location.cell
        where = place if cell is None else f"cell {cell}, {place}"
        message = f"dllint cannot read it, though Python can ({where}): {finding.message}"
        result.notices.append(Notice("skipped" if cell is None else "incomplete", result.path, message))
