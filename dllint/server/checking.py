"""When open files are checked: not before typing pauses, not for nothing, and never with a result of an older text."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final

from dllint.server.backend import Backend, LostError
from dllint.server.files import OpenFile, Outcome, Remembered
from dllint.server.messages import Check, Checked, Failed, Known

_LOGGER = logging.getLogger(__name__)
#: Seconds without an edit before a file is checked.
PAUSE: Final = 0.15
#: A file on which the analysis process died so often is left alone until it is edited.
_MOST_LOSSES: Final = 2
#: Seconds to wait for an editor that does not send its settings.
_LONGEST_WAIT: Final = 3.0
#: Seconds to wait for what is known at the places of a file that has been checked.
_LONGEST_LOOK: Final = 3.0
#: Seconds after which a check is given up. The budgets of the analysis end it much earlier; this is for faults of ours.
LONGEST_CHECK: Final = 120.0


class ClosedError(Exception):
    """The file was closed while its check was awaited."""


class Checker:
    """Keeps the outcomes of open files up to date when somebody asks for them; ``complain`` shows the user what to correct."""

    def __init__(self, backend: Backend, complain: Callable[[str], None]) -> None:
        self._backend = backend
        self._complain = complain
        self._complaints: set[str] = set()
        #: The number of changes so far, of whatever a finding may depend on.
        self.revision = 0
        #: Set when the settings are known.
        self.ready = asyncio.Event()

    def changed(self, file: OpenFile | None = None) -> None:
        """Something has changed: a file's text, or something outside."""
        self.revision += 1
        if file is not None:
            file.losses = 0
            file.texts[file.version] = file.parts
            self._backend.tell(file.news)

    def reconfigured(self) -> None:
        """The settings are other ones; what was wrong with the old ones may be shown again."""
        self._complaints.clear()
        self.changed()

    def is_current(self, file: OpenFile) -> bool:
        """Whether nothing has changed since the last check of a file."""
        return file.outcome is not None and file.outcome.revision == self.revision

    async def current(self, file: OpenFile) -> Outcome:
        """The outcome for the text and the surroundings as they are.

        Raises:
            ClosedError: the file was closed meanwhile.
        """
        while not self.is_current(file):
            if file.closed:
                raise ClosedError(file.uri)
            if file.check is None or file.check.done():
                file.check = asyncio.create_task(self._check(file))
            await asyncio.shield(file.check)
        assert file.outcome is not None
        return file.outcome

    async def learnt(self, file: OpenFile) -> None:
        """Until the places of the text as it is are known, for an editor that cannot be told to ask again; not for long."""
        with contextlib.suppress(ClosedError):
            await self.current(file)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_LOOK):
                while not file.closed and (file.known is None or file.known.known.version < file.version):
                    file.learnt.clear()
                    await file.learnt.wait()

    async def _check(self, file: OpenFile) -> None:
        """Check a file once typing pauses; without an outcome if it was changed meanwhile."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.ready.wait(), _LONGEST_WAIT)
        while file.outcome is not None and (left := file.changed + PAUSE - loop.time()) > 0:
            await asyncio.sleep(left)
        if file.closed:
            return
        revision, parts, version = self.revision, file.parts, file.version
        answer = await self._ask(file)
        for complaint in answer.complaints if isinstance(answer, Checked) else ():
            self._complain(complaint)
        if isinstance(answer, Failed):
            self._report(file, answer)
            file.outcome = Outcome(version, revision, parts)
        elif isinstance(answer, Checked) and answer.version == version:
            for notice in answer.notices:
                _LOGGER.warning("%s\n%s", notice, notice.traceback)
            file.outcome = Outcome(version, revision, parts, answer.findings, answer.pages)

    def _report(self, file: OpenFile, failed: Failed) -> None:
        _LOGGER.error("%s: %s", file.path, failed.reason)
        _LOGGER.debug("%s", failed.traceback)
        if failed.by_settings and failed.reason not in self._complaints:
            self._complaints.add(failed.reason)
            self._complain(failed.reason)

    async def _ask(self, file: OpenFile) -> Any:
        """The analysis's answer. If its process dies, it may have died of this file, which is not tried a third time."""
        if file.losses >= _MOST_LOSSES:
            return Failed("the analysis process does not survive this file; it is left alone until it is edited")
        try:
            return await asyncio.wait_for(self._backend.ask(Check(file.path)), LONGEST_CHECK)
        except LostError:
            file.losses += 1
        except TimeoutError:
            _LOGGER.error("%s: the analysis does not end; its process is ended", file.path)
            file.losses = _MOST_LOSSES
            self._backend.kill()
        return None


def remember(file: OpenFile, known: Known) -> None:
    """Keep what is known at the places of a version of a file, to answer from it while the next check runs."""
    parts = file.texts.get(known.version)
    if parts is None:
        return
    file.known = Remembered(parts, known)
    file.learnt.set()
    for version in [version for version in file.texts if version < known.version]:
        del file.texts[version]
