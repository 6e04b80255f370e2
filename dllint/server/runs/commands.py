"""Runs on demand: ``dllint bisect`` and ``dllint diagnose`` as the editor's commands, in the user's own interpreter.

The server imports nothing of what runs. The run writes a report, whose findings become diagnostics (:mod:`marks`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp

from dllint.server.app import Server, plain
from dllint.server.child import Child, Tail
from dllint.server.files import path_of
from dllint.server.marks import real
from dllint.server.runs.findings import ReportError, RunFinding, RunReport, bisection_report, diagnosis_report
from dllint.server.runs.pages import report_page, with_rule_pages
from dllint.server.state import disk_text
from dllint.server.work_progress import WorkProgress
from dllint.source.plain import Plain

_LOGGER = logging.getLogger(__name__)
_PERIOD: Final = 0.2
#: What a run writes.
_REPORT: Final = "report.json"
_EVENTS: Final = "events"
_PAGE: Final = "report.html"
#: Lines of standard error that are kept for the log.
_KEPT_LINES: Final = 40
#: What an interpreter that does not know `-P` says, whoever hands it on.
_TOO_OLD: Final = re.compile(r"unknown option:? -+P\b", re.IGNORECASE)
#: The last line of a traceback.
_EXCEPTION: Final = re.compile(r"[A-Za-z_][\w.]*(Error|Exception)(: |$)")


@dataclass(frozen=True, slots=True)
class _Tool:
    """A command of ``dllint`` that runs the user's code; ``events`` if it writes such a file while it runs, ``page`` if it can
    write its report as a page."""

    name: str
    title: str
    events: bool
    page: bool
    read: Callable[[Path, Path], RunReport]


@dataclass(frozen=True, slots=True)
class _Order:
    """What to run: the tool, the file, its arguments, and the interpreter's command line."""

    tool: _Tool
    target: Path
    arguments: tuple[str, ...]
    interpreter: tuple[str, ...]

    def command(self, scratch: Path) -> list[str]:
        """The command line of a run that writes into a folder."""
        options = ["--output-format", "json", "--output-file", str(scratch / _REPORT)]
        options += ["--events", str(scratch / _EVENTS)] if self.tool.events else []
        options += ["--html", str(scratch / _PAGE)] if self.tool.page else []
        return [*self.interpreter, "-P", "-m", "dllint", self.tool.name, *options, str(self.target), *self.arguments]


_BISECT: Final = _Tool("bisect", "Bisecting", False, False, bisection_report)
_DIAGNOSE: Final = _Tool("diagnose", "Diagnosing", True, True, diagnosis_report)


async def bisect(ls: Server, *given: Plain) -> dict[str, Any] | None:
    """The command ``dllint.bisect``, given the address of the spec; then, if wished, a list of options and the interpreter's
    command line as a list."""
    return await _ordered(ls, _BISECT, *given)


async def diagnose(ls: Server, *given: Plain) -> dict[str, Any] | None:
    """The command ``dllint.diagnose``, given the address of the script; then, if wished, a list of its arguments and the
    interpreter's command line as a list."""
    return await _ordered(ls, _DIAGNOSE, *given)


def clear(ls: Server) -> None:
    """The command ``dllint.clearRuns``: what runs have found is shown no more."""
    ls.show_marks(ls.marks.clear())


async def _ordered(
    ls: Server,
    tool: _Tool,
    uri: Plain | None = None,
    arguments: Plain | None = None,
    interpreter: Plain | None = None,
    *_: Plain,
) -> dict[str, Any] | None:
    target = path_of(uri) if isinstance(uri, str) else None
    if target is None or not target.is_file():
        return _refused(ls, tool, f"there is no file {uri}")
    if real(target) in ls.running:
        return _refused(ls, tool, f"{target.name} is running already; cancel that run first")
    python = _words(interpreter) or ls.state.settings_for(target).interpreter or (sys.executable,)
    with tempfile.TemporaryDirectory(prefix="dllint-run-", ignore_cleanup_errors=True) as scratch:
        return await _run(ls, _Order(tool, target, _words(arguments), python), Path(scratch))


def _words(value: Plain) -> tuple[str, ...]:
    given = plain(value)
    return tuple(str(word) for word in given) if isinstance(given, list) else ()


def _refused(ls: Server, tool: _Tool, text: str) -> dict[str, Any] | None:
    ls.say(lsp.MessageType.Warning, f"dllint {tool.name}: {text}")
    return None


async def _run(ls: Server, order: _Order, scratch: Path) -> dict[str, Any] | None:
    """Run, show the findings; the exit status, their number and the report's page, ``None`` if there is no result."""
    tool, target = order.tool, order.target
    ls.show_marks(ls.marks.drop(tool.name, target))
    texts = _texts(ls, target)
    try:
        child = Child(order.command(scratch), _folder(ls, target), scratch / "errors", ls.protocol.msg_id)
    except OSError as error:
        return _failed(ls, tool, f"cannot start {order.interpreter[0]}: {error.strerror or error}", ())
    ls.running[real(target)] = child
    progress, ended = WorkProgress(ls), "cancelled"
    try:
        await progress.begin(f"{tool.title} {target.name}", lambda: ls.stop_run(child))
        lines = await _followed(child, scratch, progress)
        if child.stopped:
            return None
        ended = "done"
        return await _finish(ls, order, child, scratch, texts, lines)
    finally:
        await child.stop()
        ls.running.pop(real(target), None)
        progress.end(ended)


async def _followed(child: Child, scratch: Path, progress: WorkProgress) -> list[str]:
    """Report what the program tells until it ends; the last lines of its standard error."""
    errors, events = Tail(scratch / "errors"), Tail(scratch / _EVENTS)
    kept: deque[str] = deque(maxlen=_KEPT_LINES)
    while True:
        ended = child.status is not None
        output, new = errors.lines(), events.lines()
        kept.extend(output)
        messages = [text for line in new if (text := _event(line))]
        for text in (*output[-1:], *messages[-1:]):
            progress.report(text)
        if ended:
            return list(kept)
        await asyncio.sleep(_PERIOD)


def _event(line: str) -> str:
    """An event of a diagnosed run in words; empty if there is nothing to say."""
    try:
        event = json.loads(line)
    except ValueError:
        return ""
    kind, record = event.get("event"), event.get("record")
    if not isinstance(record, dict):
        return {"started": "started", "findings": "the run has ended"}.get(kind, "")
    if kind == "progress":
        loss = f", loss {record['loss']:.4g}" if isinstance(record.get("loss"), float) else ""
        return f"step {record.get('step')}{loss}, {record.get('seconds', 0.0):.0f} s"
    if kind == "trial-started" and record.get("repair"):
        return f"trying repair {record['repair']} of {record.get('repairs')}: {record.get('message')}"
    return "running the program again as it is" if kind == "trial-started" else ""


async def _finish(
    ls: Server, order: _Order, child: Child, scratch: Path, texts: dict[Path, str], lines: Sequence[str]
) -> dict[str, Any] | None:
    """Show what the run has found, or why it has found out nothing."""
    tool, status = order.tool, child.status
    try:
        report = tool.read(scratch / _REPORT, order.target) if status in (0, 1) else None
    except ReportError as error:
        return _failed(ls, tool, _reason(order, lines) or str(error), lines)
    if report is None:
        return _failed(ls, tool, _reason(order, lines) or f"it ended with exit status {status}", lines)
    for path in _touched(report):
        texts.setdefault(real(path), disk_text(path))
    report = await with_rule_pages(ls, report)
    ls.show_marks(ls.marks.keep(tool.name, order.target, report.findings, texts))
    page = report_page(ls, scratch / _PAGE, f"Diagnosis of {order.target.name}")
    where = f"\nThe report is {page['page']}" if "page" in page else ""
    ls.say(lsp.MessageType.Info, f"dllint {tool.name}: {_summary(report)}{where}")
    return {"status": status, "findings": len(report.findings), **page}


def _touched(report: RunReport) -> set[Path]:
    """The files that findings are in, or that their fixes change."""
    edited = {edit.path for finding in report.findings for fix in finding.fixes for edit in fix.edits}
    return edited | {finding.path for finding in report.findings}


def _summary(report: RunReport) -> str:
    places = [_where(finding) for finding in report.findings]
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    found = f"{places[0]}{more}" if places else ""
    return ": ".join(part for part in (report.verdict, found) if part)


def _where(finding: RunFinding) -> str:
    return f"{finding.path.name}:{finding.first.line}: {finding.message.splitlines()[0]}"


def _reason(order: _Order, lines: Sequence[str]) -> str:
    """The last line, with the exception of the user's program, if it tells of one; empty if there are no lines."""
    if any(_TOO_OLD.search(line) for line in lines):
        return f"the interpreter {' '.join(order.interpreter)} is older than Python 3.11, which dllint needs"
    last = lines[-1].removeprefix("error: ").removeprefix("dllint: ") if lines else ""
    raised = [line for line in lines[:-1] if _EXCEPTION.match(line)]
    return f"{last} {raised[-1]}" if raised else last


def _failed(ls: Server, tool: _Tool, reason: str, lines: Sequence[str]) -> dict[str, Any] | None:
    if len(lines) > 1:
        _LOGGER.info("dllint %s has failed:\n%s", tool.name, "\n".join(lines))
    ls.say(lsp.MessageType.Error, f"dllint {tool.name}: {reason}")
    return None


def _texts(ls: Server, target: Path) -> dict[Path, str]:
    """The texts on disk as the run begins, of the file and of those that may be edited meanwhile."""
    return {real(path): disk_text(path) for path in (target, *(file.path for file in ls.state.files))}


def _folder(ls: Server, target: Path) -> Path:
    """Where the program runs: in the innermost folder of the workspace, as from the editor's terminal."""
    around = [root for root in ls.state.folders if target.is_relative_to(root) and root.is_dir()]
    return max(around, key=lambda root: len(root.parts), default=target.parent)
