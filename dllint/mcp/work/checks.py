"""The tool ``check``: the findings in files and folders, as ``dllint check`` has them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from dllint.config.discovery import configure
from dllint.engine.files import find_files
from dllint.engine.results import FileResult
from dllint.engine.run import Plan, check_files
from dllint.finding import Severity
from dllint.mcp.answers import CheckAnswer
from dllint.mcp.questions import Around, Check
from dllint.mcp.roots import RefusedError
from dllint.mcp.work.faults import shown_faults
from dllint.report.listing import Listing, counted
from dllint.source.regular import read_regular

#: Files that are checked together; between two batches the clock is looked at.
_BATCH: Final = 16
_MOST_FILES: Final = 4000
_MOST_NOTES: Final = 8


def check(asked: Check, around: Around) -> CheckAnswer:
    """The findings, errors first, without those in files outside of the roots.

    Raises:
        ConfigError: a configuration cannot be used, or ``select`` names no rule.
        RefusedError: there is no Python file.
    """
    overrides = {**({"select": asked.select} if asked.select else {}), **({"python": around.python} if around.python else {})}
    configuration = configure((), overrides, isolated=False)
    found = find_files(asked.paths, configuration)
    inside = [path for path in found.files if around.roots.holds(path)]
    files = inside[:_MOST_FILES]
    if not inside:
        raise RefusedError("no Python files were found there")
    results = list(_checked(files, Plan(configuration, jobs=1, cache=True), time.monotonic() + asked.seconds))
    findings = [finding for result in results for finding in result.findings if finding.severity is not Severity.HINT]
    own = [finding for finding in findings if around.roots.holds(finding.location.path)]
    shown, cut = shown_faults(own, _listing(results), around.roots, asked.most)
    begun = {result.path for result in results} & set(files)
    left = [
        (len(found.files) - len(inside), "link that leads out of the roots", "was left out"),
        (len(inside) - len(begun), "file", "was not checked: the time was over, ask for fewer paths"),
        (len(findings) - len(own), "finding", "in a file outside of the roots is not shown"),
    ]
    notes = [f"{counted(number, noun)}: {what}" for number, noun, what in left if number]
    said = dict.fromkeys(str(notice) for result in results for notice in result.notices)
    return CheckAnswer(shown, cut, len(begun), [*notes, *list(said)[:_MOST_NOTES]])


def _checked(files: Sequence[Path], plan: Plan, end: float) -> Iterator[FileResult]:
    for first in range(0, len(files), _BATCH):
        if first and time.monotonic() > end:
            return
        yield from check_files(files[first : first + _BATCH], plan, lambda: None)


def _listing(results: Sequence[FileResult]) -> Listing:
    texts = {(result.path, None): result.after for result in results if not result.unread}
    cells = {(result.path, cell): text for result in results for cell, text in result.cells.items()}

    def read(path: Path, cell: int | None) -> str:
        known = cells.get((path, cell)) if cell is not None else texts.get((path, None))
        return known if known is not None else read_regular(path).decode("utf-8", "replace")

    return Listing([], read)
