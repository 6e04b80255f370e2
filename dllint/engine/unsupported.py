"""Notices for code that dllint cannot read although it is no error: valid Python beyond the parser's limits, code that is
nested more deeply than any parser goes, scripts of cells (``# %%``) that use IPython's syntax, which editors send to IPython
cell by cell, and files whose content is elsewhere or nowhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from dllint.engine.results import SYNTAX_ERROR, FileResult, Notice
from dllint.finding import Finding, Severity
from dllint.source.magics import is_script_of_cells
from dllint.source.notebook_names import SUFFIX
from dllint.source.parse import LIMITS, TOO_MUCH

#: How the pointer begins that Git LFS checks out in the place of a file that was not fetched (its specification, version 1).
_POINTER: Final = re.compile(rb"version https://[\w./-]+/spec/v1\r?\noid sha256:[0-9a-f]{64}\r?\nsize \d+")


def absence(path: Path, data: bytes) -> str:
    """Why the bytes of a file are not what its name promises, or nothing: a pointer of Git LFS, an empty notebook."""
    if _POINTER.match(data):
        return "it is a Git LFS pointer, and the file itself is not here"
    if path.suffix == SUFFIX and not data.strip():
        return "it is empty, and so no notebook"
    return ""


def is_limit(finding: Finding) -> bool:
    """Whether a syntax error is one that Python does not find."""
    return finding.code == SYNTAX_ERROR and finding.message in LIMITS | TOO_MUCH


def as_information(finding: Finding) -> Finding:
    """A finding as an editor shows it, which has no notices: what dllint cannot read is no error there either."""
    return replace(finding, severity=Severity.INFO) if is_limit(finding) else finding


def tell_of_limits(result: FileResult) -> None:
    """Put notices in the place of the syntax errors that Python does not find."""
    limits = [finding for finding in result.findings if is_limit(finding)]
    if not limits:
        return
    result.findings = [finding for finding in result.findings if finding not in limits]
    for finding in limits:
        place = f"line {finding.location.span.first.line}"
        cell = finding.location.cell
        where = place if cell is None else f"cell {cell}, {place}"
        unread = "dllint cannot read it, though Python can" if finding.message in LIMITS else "it was not checked"
        message = f"{unread} ({where}): {finding.message}"
        result.notices.append(Notice("skipped" if cell is None else "incomplete", result.path, message))


def tell_of_cell_scripts(result: FileResult) -> None:
    """Put a notice in the place of the syntax errors of a script for IPython."""
    broken = [finding for finding in result.findings if finding.code == SYNTAX_ERROR and finding.location.cell is None]
    if not broken or not is_script_of_cells(result.before):
        return
    result.findings = [finding for finding in result.findings if finding not in broken]
    line = broken[0].location.span.first.line
    message = f"it is a script of cells with IPython's own syntax (line {line}) and was not checked"
    result.notices.append(Notice("skipped", result.path, message))
