"""The order of work in the analysis process: news first, then questions about fixes, then checks, the latest first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Condition

from dllint.server.messages import Asked, Buffer, Cells, Check, Closed, Configure, Statement


class Cancelled(BaseException):
    """The running work has become pointless. Not an ``Exception``, so that nothing on its way takes it for a fault."""


class Jobs:
    """Messages waiting to be worked on; filled by one thread, emptied by another.

    News about a file makes the check of it that is waiting or running pointless; ``superseded`` is called with the number of
    every question that will not be answered.
    """

    def __init__(self, superseded: Callable[[int], None]) -> None:
        self._superseded = superseded
        self._news: list[Statement] = []
        self._questions: list[Asked] = []
        self._running: Asked | None = None
        self._cancelled = False
        self._closed = False
        self._changed = Condition()

    def put(self, message: Statement | Asked) -> None:
        """Add a message."""
        with self._changed:
            if isinstance(message, Asked):
                if isinstance(message.question, Check):
                    self._drop(message.question.path)
                self._questions.append(message)
            else:
                self._news.append(message)
                self._cancel_for(message)
            self._changed.notify()

    def close(self) -> None:
        """No message will come any more."""
        with self._changed:
            self._closed = self._cancelled = True
            self._changed.notify()

    def is_quiet(self, seconds: float) -> bool:
        """Whether no message comes for a while. What was taken before is done."""
        with self._changed:
            self._running = None
            return not self._changed.wait_for(self._has_work, seconds)

    def take(self) -> Statement | Asked | None:
        """The next message, waiting for one; ``None`` when closed. What was taken before is done."""
        with self._changed:
            self._running = None
            self._changed.wait_for(self._has_work)
            if self._closed:
                return None
            self._cancelled = False
            if self._news:
                return self._news.pop(0)
            urgent = next((asked for asked in self._questions if not isinstance(asked.question, Check)), None)
            self._running = urgent or self._questions[-1]
            self._questions.remove(self._running)
            return self._running

    def checkpoint(self) -> None:
        """Called every now and then by the running work. Raises :class:`Cancelled` if it has become pointless."""
        if self._cancelled:
            raise Cancelled

    def _has_work(self) -> bool:
        return bool(self._closed or self._news or self._questions)

    def _cancel_for(self, news: Statement) -> None:
        if isinstance(news, (Buffer, Cells, Closed)):
            self._drop(news.path)
        elif isinstance(news, Configure) and self._running is not None:
            self._cancelled = True

    def _drop(self, path: Path) -> None:
        """Forget the checks of a file."""
        for asked in [a for a in self._questions if isinstance(a.question, Check) and a.question.path == path]:
            self._questions.remove(asked)
            self._superseded(asked.number)
        if self._running is not None and getattr(self._running.question, "path", None) == path:
            self._cancelled = True
