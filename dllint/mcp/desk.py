"""The server's end of the analysis process: starts it when it is needed, asks it, ends it when it does not answer."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import anyio
from anyio import to_thread

from dllint.mcp.questions import Answer, Around, Question, Refused, Reply
from dllint.mcp.roots import RefusedError


class Desk:
    """One process at a time, and one question at a time. A question takes at most ``seconds``."""

    def __init__(self, around: Around, seconds: float) -> None:
        self._around = around
        self._seconds = seconds
        self._turn = anyio.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    async def ask(self, question: Question) -> Answer:
        """The answer to a question. If the agent does not want it any more, the process is ended.

        Raises:
            RefusedError: it cannot be answered, or not in time.
        """
        async with self._turn:
            reply: Reply | None = None
            try:
                with anyio.fail_after(self._seconds):
                    reply = await to_thread.run_sync(_exchange, self._ready(), question, abandon_on_cancel=True)
            except TimeoutError as error:
                raise RefusedError(f"there was no answer within {self._seconds:g} s; ask for less") from error
            except (EOFError, OSError) as error:
                raise RefusedError("the analysis process has died; another one is started for the next question") from error
            finally:
                if reply is None or reply.is_last:
                    self.end()
        if isinstance(reply.value, Refused):
            raise RefusedError(reply.value.reason)
        return reply.value

    def end(self) -> None:
        """End the process; a thread that still waits for it gets the end of its pipe."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None

    def _ready(self) -> Connection:
        """The connection to a process that lives."""
        if self._process is None or self._connection is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=_live, args=(theirs, self._around), name="dllint-mcp", daemon=True)
            self._process.start()
            theirs.close()
        return self._connection


def _exchange(connection: Connection, question: Question) -> Reply:
    connection.send(question)
    reply: Reply = connection.recv()
    return reply


def _live(connection: Connection, around: Around) -> None:
    """What the process runs; the analysis is imported there only."""
    from dllint.mcp.worker import live

    live(connection, around)
