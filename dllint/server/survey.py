"""A check of all files of the workspace that are not open, in an analysis process of its own, which ends with it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from dllint.finding import Finding
from dllint.server.app import Server
from dllint.server.backend import Backend, LostError
from dllint.server.diagnostics import diagnostic
from dllint.server.failing import each
from dllint.server.files import Outcome
from dllint.server.marks import real
from dllint.server.messages import Checked, CheckSaved, Conclude, Failed, FindFiles, Paths, Question, Surveyed
from dllint.server.parts import Part, Parts
from dllint.server.state import disk_text
from dllint.source.notebook_lines import lines_in_file
from dllint.span import Location

_LOGGER = logging.getLogger(__name__)
#: Files that are checked before it is told what was found, and seconds for them.
_BATCH: Final = 16
_LONGEST_BATCH: Final = 300.0

#: The diagnostics of files, by their real path.
Found = dict[Path, list[lsp.Diagnostic]]


@dataclass(slots=True)
class Tally:
    """How far a survey is, and what was left out."""

    files: int = 0
    done: int = 0
    left_out: int = 0
    lost: int = 0
    complaints: tuple[str, ...] = ()


@dataclass(slots=True)
class Survey:
    """``news`` is called with what is new after every batch, ``advance`` with how far it is."""

    ls: Server
    news: Callable[[Found], None] = lambda _: None
    advance: Callable[[Tally], None] = lambda _: None
    tally: Tally = field(default_factory=Tally)

    async def run(self) -> Found:
        """The diagnostics of all files that have any. Whoever ends it early ends its process."""
        state = self.ls.state
        backend = Backend(lambda _: None, lambda: backend.tell(state.configuration()))
        roots = tuple(root for root, settings in state.folders.items() if settings.enable)
        async with self.ls.one_survey:
            backend.start()
            try:
                backend.tell(state.configuration())
                return await self._run(backend, roots)
            finally:
                backend.stop()

    async def _run(self, backend: Backend, roots: tuple[Path, ...]) -> Found:
        listed = await _asked(backend, FindFiles(roots))
        if not isinstance(listed, Paths):
            return {}
        opened = {real(file.path) for file in self.ls.state.files}
        paths = [path for path in listed.paths if real(path) not in opened]
        self.tally = Tally(len(paths), 0, listed.left_out, 0, listed.complaints)
        found: Found = {}
        for first in range(0, len(paths), _BATCH):
            batch = tuple(paths[first : first + _BATCH])
            answer = await _asked(backend, CheckSaved(batch))
            self.tally.done += len(batch)
            self.tally.lost += len(batch) * (not isinstance(answer, Surveyed))
            self._take(found, answer.files if isinstance(answer, Surveyed) else ())
            self.advance(self.tally)
        concluded = await _asked(backend, Conclude())
        self._take(found, concluded.files if isinstance(concluded, Surveyed) else ())
        return {path: items for path, items in found.items() if items}

    def _take(self, found: Found, files: Iterable[Checked]) -> None:
        new: Found = {}
        for checked in files:
            for notice in checked.notices:
                _LOGGER.info("%s\n%s", notice, notice.traceback)
            items = diagnostics_on_disk(self.ls, checked)
            if items != found.get(real(checked.path), []):
                new[real(checked.path)] = items
        found |= new
        if new:
            self.news(new)


async def _asked(backend: Backend, question: Question) -> Paths | Surveyed | None:
    try:
        answer = await asyncio.wait_for(backend.ask(question), _LONGEST_BATCH)
    except LostError as error:
        _LOGGER.error("check of the workspace: %s", error)
        return None
    except TimeoutError:
        _LOGGER.error("check of the workspace: there is no answer; the process is ended")
        backend.kill()
        return None
    if isinstance(answer, Failed):
        _LOGGER.error("check of the workspace: %s\n%s", answer.reason, answer.traceback)
    return answer if isinstance(answer, (Paths, Surveyed)) else None


def diagnostics_on_disk(ls: Server, checked: Checked) -> list[lsp.Diagnostic]:
    """The findings of a file that is not open as diagnostics. Those in a notebook stand at lines of its file: the editor
    has given no addresses of its cells."""
    if not checked.findings:
        return []
    part = Part(checked.path.absolute().as_uri(), 0, ls.state.text_of(checked.path))
    outcome = Outcome(0, 0, Parts((part,)), checked.findings, checked.pages)
    cells = lines_in_file(disk_text(checked.path)) if any(f.location.cell for f in checked.findings) else []

    def shown(finding: Finding) -> lsp.Diagnostic:
        item = diagnostic(finding, 0, outcome, part, ls.state.text_of)
        item.data = None  # fixes are offered in open files only
        if not finding.location.in_file:
            line = _line(finding.location, cells)
            item.range = lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line, 0))
            item.related_information = None
        return item

    return list(each(checked.findings, shown, "a finding cannot be shown"))


def _line(location: Location, cells: Sequence[Sequence[int]]) -> int:
    """The line of a notebook's file on which a place in a cell begins; the first where that cannot be told."""
    number, line = location.cell or 0, location.span.first.line
    lines = cells[number - 1] if 0 < number <= len(cells) else ()
    return lines[line - 1] if 0 < line <= len(lines) else 1


def digest(ls: Server, items: Sequence[lsp.Diagnostic]) -> str:
    """What diagnostics are recognised by."""
    text = json.dumps(list(items), default=ls.protocol._serialize_message, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
