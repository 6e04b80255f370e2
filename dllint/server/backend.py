"""The server's end of the analysis process: starts it, asks it, starts another one when it dies."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from itertools import count
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from dllint.server.messages import Answer, Asked, Known, Log, Question, Reply, Statement
from dllint.server.process import Launched, launch

_LOGGER = logging.getLogger(__name__)
#: A process that dies more often than this within the time is not started again.
_MOST_STARTS: Final = 5
_WITHIN_SECONDS: Final = 120.0


class LostError(Exception):
    """The analysis process has died before it could answer."""


class Backend:
    """One analysis process at a time. All methods are called from the event loop's thread.

    ``known`` gets what is known at the places of a file; ``restore`` is called when a new process must be sent what the one
    before knew.
    """

    def __init__(self, known: Callable[[Known], None], restore: Callable[[], None]) -> None:
        self._known = known
        self._restore = restore
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._connection: Connection | None = None
        self._outgoing: SimpleQueue[Statement | Asked | None] = SimpleQueue()
        self._process: Any = None
        self._starts: list[float] = []
        self._stopped = False

    def start(self, launched: Launched | None = None) -> None:
        """Use a process that was launched before, or a new one."""
        loop = asyncio.get_running_loop()
        self._process, ours = launched or launch()
        self._connection, self._outgoing = ours, SimpleQueue()
        self._starts.append(time.monotonic())
        Thread(target=_write, args=(self._outgoing, ours, self._process.kill), name="to-analysis", daemon=True).start()
        Thread(target=self._listen, args=(loop, ours, self._process), name="analysis", daemon=True).start()

    def stop(self) -> None:
        """End the process."""
        self._stopped = True
        self._outgoing.put(None)
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """End a process that does not answer; another one will take its place."""
        if self._process is not None:
            self._process.kill()

    def tell(self, statement: Statement) -> None:
        """Send news."""
        self._outgoing.put(statement)

    async def ask(self, question: Question) -> Any:
        """The value of the answer to a question.

        Raises:
            LostError: the process died before it answered.
        """
        if self._connection is None and not self._begin_anew():
            raise LostError("the analysis process is not running")
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._outgoing.put(Asked(number, question))
        return await future

    def _listen(self, loop: asyncio.AbstractEventLoop, connection: Connection, process: Any) -> None:
        try:
            while True:
                loop.call_soon_threadsafe(self._hear, connection.recv())
        except (EOFError, OSError, RuntimeError):
            pass
        except Exception as error:  # half a message is no message: whoever waits must not wait for ever
            _LOGGER.error("the analysis process has sent what cannot be read (%s: %s)", type(error).__name__, error)
            process.kill()
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._lose, connection)

    def _hear(self, reply: Reply) -> None:
        if isinstance(reply, Known):
            self._known(reply)
        elif isinstance(reply, Log):
            _LOGGER.log(reply.level, "%s", reply.text)
        elif isinstance(reply, Answer):
            future = self._waiting.pop(reply.number, None)
            if future is not None and not future.done():
                future.set_result(reply.value)

    def _lose(self, connection: Connection) -> None:
        """The process has died; another one takes its place."""
        if self._stopped or connection is not self._connection:
            return
        self._connection = None
        self._process.join(1)
        _LOGGER.error("the analysis process has died (exit status %s)", self._process.exitcode)
        # What was asked of it is answered before anything else can fail.
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(LostError("the analysis process has died"))
        if not self._begin_anew():
            _LOGGER.critical(
                "the analysis process dies again and again; the server starts it when it is needed after %d seconds, or now if"
                " the server is restarted",
                _WITHIN_SECONDS,
            )

    def _begin_anew(self) -> bool:
        """Start another process in the place of one that has died, unless several have died lately."""
        recent = [start for start in self._starts if time.monotonic() - start < _WITHIN_SECONDS]
        if self._stopped or len(recent) >= _MOST_STARTS:
            return False
        try:
            self.start()
        except OSError as error:
            _LOGGER.error("the analysis process cannot be started: %s", error)
            self._starts.append(time.monotonic())
            return False
        self._restore()
        return True


def _write(outgoing: SimpleQueue[Statement | Asked | None], connection: Connection, kill: Callable[[], None]) -> None:
    """Send what is queued, so that a process that is slow to read never holds up the server."""
    try:
        while (message := outgoing.get()) is not None:
            connection.send(message)
        connection.close()
    except OSError:
        return
    except Exception as error:  # what cannot be sent would never be answered; the end of the process is sent to all who wait
        _LOGGER.error("the analysis process cannot be told something (%s: %s)", type(error).__name__, error)
        kill()
