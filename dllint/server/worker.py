"""The analysis process: reads messages, works on them one after the other, sends what it found."""

from __future__ import annotations

import gc
import logging
import os
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, Final

from dllint.config.errors import ConfigError
from dllint.engine.baseline import BaselineError
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.cells import CellAnalyst
from dllint.server.jobs import Cancelled, Jobs
from dllint.server.messages import (
    Answer,
    Asked,
    Buffer,
    Cells,
    Check,
    Closed,
    Configure,
    Draw,
    Failed,
    FixAll,
    Known,
    Log,
    Prove,
    Reply,
    RulePages,
    Show,
    Statement,
    Summarise,
    Superseded,
    Touched,
    Why,
    WriteTest,
)
from dllint.server.pages import Pages
from dllint.server.saved import SavedFiles

#: Analyses leave cycles behind that only a collection frees. It waits for so many seconds without work; after so many checks
#: it waits no longer.
_QUIET_SECONDS: Final = 1.5
_MOST_CHECKS: Final = 30


class Worker:
    """Serves one connection until it is closed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = Lock()
        self._jobs = Jobs(superseded=lambda number: self._send(Answer(number, Superseded())))
        attempts = Attempts(lambda text: self._send(Log(logging.ERROR, text)))
        self._analyst = Analyst(self._jobs.checkpoint, Pages(), attempts)
        self._cells = CellAnalyst(self._analyst, attempts)
        self._saved = SavedFiles(self._analyst.configuration, self._jobs.checkpoint, attempts)
        self._checks = 0

    def run(self) -> None:
        """Work until the connection is closed."""
        Thread(target=self._read, name="messages", daemon=True).start()
        while (message := self._next()) is not None:
            if isinstance(message, Asked):
                self._answer(message)
            else:
                self._hear(message)

    def _next(self) -> Statement | Asked | None:
        """The next message; the garbage is collected before it, if there is time or too much of it."""
        if self._checks and (self._checks >= _MOST_CHECKS or self._jobs.is_quiet(_QUIET_SECONDS)):
            gc.collect()
            self._checks = 0
        return self._jobs.take()

    def _read(self) -> None:
        try:
            while True:
                self._jobs.put(self._connection.recv())
        except (EOFError, OSError):
            self._jobs.close()

    def _send(self, reply: Reply) -> None:
        with self._sending:
            self._connection.send(reply)

    def _hear(self, news: Statement) -> None:
        analyst = self._analyst
        if isinstance(news, Configure):
            analyst.configure(news.folders)
        elif isinstance(news, Buffer):
            self._cells.buffer(news)
        elif isinstance(news, Cells):
            self._cells.cells(news)
        elif isinstance(news, Closed):
            self._cells.close(news.path)
        elif isinstance(news, Touched):
            analyst.touch(news.paths)

    def _answer(self, asked: Asked) -> None:
        """Answer a question; whatever goes wrong is an answer, too."""
        follow: Callable[[], Known] | None = None
        value: Any
        try:
            value, follow = self._work(asked)
        except Cancelled:
            value = Superseded()
        except (ConfigError, BaselineError) as error:
            value = Failed(str(error), by_settings=True)
        except Exception as error:  # a fault of ours must not end the process
            value = Failed(f"{type(error).__name__}: {error}", traceback.format_exc())
        try:
            self._send(Answer(asked.number, value))
        except (BrokenPipeError, ConnectionError):
            raise
        except Exception as error:  # what cannot be sent is no reason to leave the question without an answer
            self._send(Answer(asked.number, Failed(f"{type(error).__name__}: {error}", traceback.format_exc())))
        if follow is not None:
            self._follow_up(follow)

    def _work(self, asked: Asked) -> tuple[Any, Callable[[], Known] | None]:
        question = asked.question
        self._checks += 1
        if isinstance(question, Check):
            return self._cells.check(question.path)
        if isinstance(question, Prove):
            return self._cells.prove(question.path, question.version, question.numbers), None
        if isinstance(question, FixAll):
            return self._cells.fix_all(question.path, question.version, question.cell) or Superseded(), None
        if isinstance(question, Draw):
            return self._cells.draw(question), None
        if isinstance(question, Summarise):
            return self._cells.summarise(question), None
        if isinstance(question, Why):
            return self._cells.why(question.path, question.version, question.number) or Superseded(), None
        if isinstance(question, WriteTest):
            return self._analyst.model_test(question.path, question.name), None
        if isinstance(question, RulePages):
            return {code: self._analyst.pages.address_in_run(code) for code in question.codes}, None
        if isinstance(question, Show):
            return self._analyst.show(question.path), None
        return self._saved.answer(question), None

    def _follow_up(self, known: Callable[[], Known]) -> None:
        """Send what is known at the places of a file whose findings are sent already."""
        try:
            self._send(known())
        except Cancelled:
            return
        except Exception as error:
            self._send(Log(logging.ERROR, f"hovers: {type(error).__name__}: {error}\n{traceback.format_exc()}"))


def work(connection: Connection) -> None:
    """The life of the process. It ends with its parent, whose end closes the connection."""
    gc.disable()
    try:
        Worker(connection).run()
    except (KeyboardInterrupt, BrokenPipeError, ConnectionError):
        pass
    finally:
        os._exit(0)
