"""The pages that belong to a run: its report in HTML, and those of the rules of its findings."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from dllint.server.app import Server
from dllint.server.backend import LostError
from dllint.server.messages import RulePages
from dllint.server.runs.findings import RunReport
from dllint.server.showing import written

_LOGGER = logging.getLogger(__name__)
#: Seconds to wait for addresses while the analysis works on something else.
_LONGEST_WAIT: Final = 10.0


async def with_rule_pages(ls: Server, report: RunReport) -> RunReport:
    """The report whose findings know the addresses of the pages of their rules."""
    codes = tuple(sorted({finding.code for finding in report.findings if finding.code is not None}))
    pages = await _addresses(ls, codes) if codes else {}
    findings = (replace(finding, page=pages.get(finding.code or "", "")) for finding in report.findings)
    return replace(report, findings=tuple(findings))


async def _addresses(ls: Server, codes: tuple[str, ...]) -> Mapping[str, str]:
    try:
        answer: Any = await asyncio.wait_for(ls.state.backend.ask(RulePages(codes)), _LONGEST_WAIT)
    except (LostError, TimeoutError):
        return {}
    return answer if isinstance(answer, dict) else {}


def report_page(ls: Server, file: Path, title: str) -> dict[str, str]:
    """The report that a run has written, as part of the command's answer: the ``title`` and the ``html`` for an editor that
    shows pages itself, else ``page``, the address of a file that is kept. Nothing if there is no such report."""
    try:
        html = file.read_text(encoding="utf-8")
        return {"title": title, "html": html} if ls.state.client.pages else {"page": written(html).as_uri()}
    except FileNotFoundError:  # the tool writes none, or is of a release that does not
        return {}
    except (OSError, UnicodeDecodeError) as error:
        _LOGGER.warning("the report of the run cannot be kept: %s", error)
        return {}
