"""The child process as seen by those who give orders: it is started anew when it has crashed or does not answer."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from benchmarks.differential.child import Name, Order, serve
from benchmarks.differential.seen import Observed

#: Seconds for the start, and for one program.
_START: Final = 600
_PROGRAM: Final = 20
#: So many programs are written by one process.
_LIFE: Final = 3000


class Frameworks:
    """Writes and runs the programs of one source."""

    def __init__(self, source: Name) -> None:
        self._source: Name = source
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._served = 0

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None
        self._served = 0

    def programs(self, seed: int, numbers: range) -> Iterator[tuple[int, str, str, Observed]]:
        """For each number the text of its program, its subject, and what the run has shown."""
        for number in numbers:
            text, subject, observed = self._answer(Order(self._source, seed, number))
            yield number, text, subject, observed

    def run(self, text: str) -> Observed:
        """Run a text."""
        return self._answer(Order(self._source, text=text))[2]

    def _answer(self, order: Order) -> tuple[str, str, Observed]:
        connection = self._ready()
        text, subject = order.text, ""
        try:
            connection.send(order)
            while connection.poll(_PROGRAM):
                text, subject, observed = connection.recv()
                if observed is not None:
                    self._served += 1
                    return text, subject, observed
        except (EOFError, OSError):
            self.close()
            return text, subject, Observed(text, (), lost="crash")
        self.close()
        return text, subject, Observed(text, (), lost="time")

    def _ready(self) -> Connection:
        if self._served >= _LIFE:
            self.close()
        if self._connection is not None:
            return self._connection
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, self._source), daemon=True)
        self._process.start()
        theirs.close()
        if not ours.poll(_START):
            self.close()
            raise TimeoutError(f"the frameworks of {self._source} did not start")
        ours.recv()
        self._connection = ours
        return ours
