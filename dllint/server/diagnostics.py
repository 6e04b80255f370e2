"""Findings as an editor shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from dllint.finding import Finding, Related, Severity
from dllint.server.failing import each
from dllint.server.files import Outcome
from dllint.server.parts import Part
from dllint.server.text import Text
from dllint.span import Location

SOURCE: Final = "dllint"
SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}
#: Rules about code that has no effect, and about names that a library no longer has: editors fade and strike these.
_TAGS: Final = {
    "layer-unused": lsp.DiagnosticTag.Unnecessary,
    "layer-output-overwritten": lsp.DiagnosticTag.Unnecessary,
    "redundant-activation": lsp.DiagnosticTag.Unnecessary,
    "removed-or-renamed-symbol": lsp.DiagnosticTag.Deprecated,
    "renamed-keyword": lsp.DiagnosticTag.Deprecated,
}


def diagnostics(outcome: Outcome, part: Part, hints: bool, text_of: Callable[[Path], Text]) -> list[lsp.Diagnostic]:
    """The diagnostics of a file or a cell, each with the number of its finding as data; ``text_of`` gives the texts of other
    files."""
    here = ((number, f) for number, f in enumerate(outcome.findings) if f.location.cell == part.cell)
    wanted = ((number, f) for number, f in here if hints or f.severity is not Severity.HINT)
    return list(each(wanted, lambda one: diagnostic(one[1], one[0], outcome, part, text_of), "a finding cannot be shown"))


def diagnostic(finding: Finding, number: int, outcome: Outcome, part: Part, text_of: Callable[[Path], Text]) -> lsp.Diagnostic:
    """One finding as a diagnostic of the text that it stands in."""
    page = outcome.pages.get(finding.code)
    tag = _TAGS.get(finding.name)
    return lsp.Diagnostic(
        range=place(finding.location, part.text),
        message=two_lines(finding.message, finding.advice),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=lsp.CodeDescription(page) if page else None,
        source=SOURCE,
        tags=[tag] if tag else None,
        related_information=[_related(r, finding, outcome, text_of) for r in finding.related] or None,
        data={"finding": number, "name": finding.name},
    )


def two_lines(message: str, advice: str) -> str:
    """The fact, and under it what to change: a list of problems shows the first line of each."""
    return f"{message}\n{advice}" if advice else message


def place(location: Location, text: Text) -> lsp.Range:
    """The range of a location in its text; never empty, so that it can be seen and pointed at."""
    first, last = text.from_columns(location.span.first), text.from_columns(location.span.last)
    if first == last and first.character > 0:
        first = lsp.Position(first.line, first.character - 1)
    return lsp.Range(first, last)


def _related(
    related: Related, finding: Finding, outcome: Outcome, text_of: Callable[[Path], Text]
) -> lsp.DiagnosticRelatedInformation:
    path = related.location.path
    part = outcome.parts.of(related.location.cell) if path == finding.location.path else None
    text = part.text if part is not None else text_of(path)
    uri = part.uri if part is not None and part.cell is not None else path.absolute().as_uri()
    return lsp.DiagnosticRelatedInformation(lsp.Location(uri, place(related.location, text)), related.message)
