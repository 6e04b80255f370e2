"""Files of Python 2: one notice instead of a syntax error for each statement that Python 3 does not have."""

from __future__ import annotations

from dllint.config.targets import Targets
from dllint.engine.results import SYNTAX_ERROR, FileResult, Notice
from dllint.finding import Finding
from dllint.source.notebook import Notebook
from dllint.source.parse import SyntaxProblem
from dllint.source.python2 import python_2_syntax
from dllint.source.versions import version


def tell_once(result: FileResult, notebook: Notebook | None, targets: Targets) -> None:
    """Put a notice in the place of the syntax errors of a file that is written for Python 2."""
    broken = [finding for finding in result.findings if finding.code == SYNTAX_ERROR]
    if not broken:
        return
    python, first = targets.of("python"), version("3")
    if python is not None and min(python.releases) >= first:
        return
    is_old = python is not None and max(python.releases) < first
    old = [finding for finding in broken if is_old or _syntax(finding, result, notebook)]
    if not old:
        return
    result.findings = [finding for finding in result.findings if finding not in old]
    result.notices.append(_notice(result, old, notebook))


def _notice(result: FileResult, old: list[Finding], notebook: Notebook | None) -> Notice:
    reason = next((found for finding in old if (found := _syntax(finding, result, notebook))), "its kernel")
    if notebook is None:
        line = old[0].location.span.first.line
        return Notice("skipped", result.path, f"it is written for Python 2 ({reason}, line {line}) and was not checked")
    cells = sorted({finding.location.cell for finding in old if finding.location.cell is not None})
    shown = f"cell {cells[0]} is" if len(cells) == 1 else f"cells {', '.join(map(str, cells))} are"
    return Notice("incomplete", result.path, f"{shown} written for Python 2 ({reason}) and not checked")


def _syntax(finding: Finding, result: FileResult, notebook: Notebook | None) -> str:
    """The Python 2 construct that a syntax error is about."""
    first, cell = finding.location.span.first, finding.location.cell
    text = result.before if notebook is None or cell is None else notebook.broken.get(cell, "")
    return python_2_syntax(text, SyntaxProblem(first.line, first.column, finding.message))
