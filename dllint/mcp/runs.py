"""The tool ``diagnose``: a training script is run, in the user's interpreter and in a process group of its own."""

from __future__ import annotations

import sys
import tempfile
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio

from dllint.mcp.answers import Fault, RunAnswer
from dllint.mcp.roots import RefusedError, Roots
from dllint.server.child import Child, Tail
from dllint.server.runs.findings import ReportError, RunFinding, RunReport, diagnosis_report
from dllint.source.neutral import neutral

_PERIOD: Final = 0.2
_LINES: Final = 20
_LONGEST_LINE: Final = 200
#: Seconds beside the run itself: starting it, and trying repairs.
_BESIDE: Final = 60.0
_REPLAY: Final = 30
#: Beside findings, what the exit status of `dllint diagnose` says.
_ENDED_WELL: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class Run:
    """A script with its arguments, and how far it may go."""

    script: Path
    arguments: tuple[str, ...]
    steps: int
    seconds: float

    def command(self, interpreter: str, report: Path) -> list[str]:
        """The command line."""
        options = ["--output-format", "json", "--output-file", str(report), "--quiet"]
        options += ["--max-steps", str(self.steps), "--max-seconds", f"{self.seconds:g}", "--replay-seconds", str(_REPLAY)]
        return [interpreter, "-P", "-m", "dllint", "diagnose", *options, str(self.script), *self.arguments]


async def diagnose(run: Run, roots: Roots, interpreter: str, most: int) -> RunAnswer:
    """Run the script in the root that it lies in and tell what was found; it is ended with the question.

    Raises:
        RefusedError: it cannot be started, or has told nothing.
    """
    folder = max((f for f in roots.folders if run.script.is_relative_to(f)), key=lambda f: len(f.parts))
    with tempfile.TemporaryDirectory(prefix="dllint-mcp-", ignore_cleanup_errors=True) as scratch:
        report, errors = Path(scratch, "report.json"), Path(scratch, "errors")
        try:
            child = Child(run.command(interpreter or sys.executable, report), folder, errors, None)
        except OSError as error:
            raise RefusedError(f"cannot start {interpreter}: {error.strerror or error}") from error
        kept: deque[str] = deque(maxlen=_LINES)
        tail = Tail(errors)
        in_time = False
        try:
            with anyio.move_on_after(run.seconds + _REPLAY + _BESIDE):
                while child.status is None:
                    await anyio.sleep(_PERIOD)
                    kept.extend(tail.lines())
                in_time = True
        finally:
            child.kill()  # with all that it has started, too, when the agent does not want it any more
        kept.extend(tail.lines())
        output = [neutral(line)[:_LONGEST_LINE] for line in kept]
        if not in_time:
            raise RefusedError("\n".join(["the run did not end in time and was stopped", *output]))
        return _answer(_read(report, run, child.status, output), child.status or 0, roots, output, most)


def _read(report: Path, run: Run, status: int | None, output: list[str]) -> RunReport:
    try:
        if status not in _ENDED_WELL:
            raise ReportError(f"the run ended with exit status {status}")
        return diagnosis_report(report, run.script)
    except ReportError as error:
        raise RefusedError("\n".join([str(error), *output])) from error


def _answer(report: RunReport, status: int, roots: Roots, output: list[str], most: int) -> RunAnswer:
    shown = [_fault(finding, roots) for finding in report.findings[:most]]
    return RunAnswer(status, report.verdict, shown, len(report.findings) - len(shown), output)


def _fault(finding: RunFinding, roots: Roots) -> Fault:
    message, _, advice = finding.message.partition("\n")
    place = f"{roots.shown(finding.path)}:{finding.first.line}:{finding.first.column}"
    repairs = [fix.title for fix in finding.fixes]
    code = finding.code or ""
    return Fault(place, code, code, finding.severity.value, "high", message, advice, "", repairs, bool(repairs))
