"""The whole workspace: ``workspace/diagnostic`` for editors that pull, and the command ``dllint.checkWorkspace`` for all."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from dllint.server.app import Server
from dllint.server.files import path_of
from dllint.server.marks import real
from dllint.server.survey import Found, Survey, Tally, digest
from dllint.server.work_progress import WorkProgress

#: Seconds for which a question is held to which there is nothing new to say; seconds after a change on the disk before files
#: are read.
_HELD: Final = 60.0
_PAUSE: Final = 0.5


async def workspace_diagnostic(ls: Server, params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
    """The diagnostics of all files that are not open: those that the editor does not have yet, after each batch if it takes
    partial results. If it has all, the answer waits for a change on the disk; who takes back the question, ends the check."""
    await _settled(ls)
    reports = _Reports(ls, {item.uri: item.value for item in params.previous_result_ids}, params.partial_result_token)
    found, seen = ls.surveyed
    if seen == ls.changes and not reports.of(found, is_all=True):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ls.changed.wait(), _HELD)
            await asyncio.sleep(_PAUSE)
    if seen != ls.changes:
        began = ls.changes
        found = await Survey(ls, reports.send).run()
        ls.surveyed = found, began
    else:
        reports.sent.clear()
    return lsp.WorkspaceDiagnosticReport(reports.of(found, is_all=True))


async def _settled(ls: Server) -> None:
    """Wait until the settings are known."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ls.state.checker.ready.wait(), _PAUSE * 4)


@dataclass(slots=True)
class _Reports:
    """The reports that bring an editor from what it has (``previous``: identifiers by address) to what is found."""

    ls: Server
    previous: Mapping[str, str]
    token: lsp.ProgressToken | None
    sent: dict[str, str] = field(default_factory=dict)

    def send(self, found: Found) -> None:
        """Send what is new at once, if the editor takes that."""
        items = self.of(found) if self.token is not None else []
        if items and self.token is not None:
            report = lsp.WorkspaceDiagnosticReportPartialResult(items)
            self.ls.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(self.token, report))

    def of(self, found: Found, is_all: bool = False) -> list[lsp.WorkspaceDocumentDiagnosticReport]:
        """The reports of the files that the editor has otherwise; with ``is_all`` other files have no findings."""
        opened = {real(file.path) for file in self.ls.state.files}
        reports: list[lsp.WorkspaceDocumentDiagnosticReport] = []
        has = {**self.previous, **self.sent}
        known = {real(path): uri for uri in has if (path := path_of(uri)) is not None}
        for path, items in found.items():
            uri = known.get(path, path.as_uri())
            result_id = digest(self.ls, items)
            if path not in opened and has.get(uri) != result_id and (items or uri in has):
                self.sent[uri] = result_id
                reports.append(lsp.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=result_id))
        if is_all:
            reports += self._gone(has, {known.get(path, path.as_uri()) for path in found}, opened)
        return reports

    def _gone(self, has: Mapping[str, str], found: set[str], opened: set[Path]) -> list[lsp.WorkspaceDocumentDiagnosticReport]:
        """The reports of the files in which nothing is found any more."""
        empty = digest(self.ls, [])
        gone = [uri for uri, known in has.items() if uri not in found and known != empty]
        closed = [uri for uri in gone if (path := path_of(uri)) is not None and real(path) not in opened]
        self.sent |= dict.fromkeys(closed, empty)
        return [lsp.WorkspaceFullDocumentDiagnosticReport(uri, [], result_id=empty) for uri in closed]


async def check_workspace(ls: Server) -> dict[str, int] | None:
    """The command ``dllint.checkWorkspace``: check all files that are not open, with progress that can be cancelled, and show
    what is found until a file is opened or changes. The numbers of files and findings; ``None`` if it was cancelled."""
    await _settled(ls)
    survey = Survey(ls)
    progress = WorkProgress(ls)
    survey.advance = lambda tally: progress.report(f"{tally.done} of {tally.files} files")
    request = ls.protocol.msg_id
    work = asyncio.ensure_future(survey.run())
    ls.surveys[request] = work
    ended = "cancelled"
    try:
        await progress.begin("Checking the workspace", lambda: _cancel(work))
        await asyncio.wait([work])
        if work.cancelled():
            return None
        found, ended = work.result(), "done"
    finally:
        work.cancel()
        ls.surveys.pop(request, None)
        progress.end(ended)
    return _shown(ls, found, survey.tally)


def _cancel(work: asyncio.Future[Found]) -> None:
    work.cancel()


def _shown(ls: Server, found: Found, tally: Tally) -> dict[str, int]:
    """Show what was found, unless the editor asks for it itself."""
    before = set(ls.saved)
    opened = {real(file.path) for file in ls.state.files}
    ls.saved = {path: items for path, items in found.items() if path not in opened}
    total = sum(map(len, ls.saved.values()))
    summary = _counted(total, len(ls.saved), tally)
    if ls.state.client.pull_diagnostics and ls.state.settings.workspace:
        ls.saved = {}  # else each would be there twice
        ls.disk_changed()
    for path in (before | set(ls.saved)) - opened:
        ls.publish_closed(path)
    ls.say(lsp.MessageType.Info, f"dllint: {summary}")
    return {"files": tally.files, "findings": total}


def _counted(findings: int, files: int, tally: Tally) -> str:
    def number(count: int, noun: str) -> str:
        return f"{count} {noun}{'s' * (count != 1)}"

    found = f"{number(findings, 'finding')} in {number(files, 'file')}" if findings else "no findings"
    rest = [f"{number(tally.left_out, 'file')} too many were left out"] if tally.left_out else []
    rest += [f"{number(tally.lost, 'file')} could not be checked, the log says why"] if tally.lost else []
    return "; ".join([f"{found}, {number(tally.files, 'closed file')} checked", *rest, *tally.complaints])
