"""Exits of a program that raise no exception: ``os._exit``, and the ends of forked children and of threads."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from dllint.diagnose.launch import Outcome
from dllint.diagnose.limits import Stopped

#: Ends this process at once.
leave = os._exit


@contextmanager
def watched_exits(at_exit: Callable[[int], int]) -> Iterator[None]:
    """While the block runs, ``at_exit`` is called when this process leaves by ``os._exit``; it is given the status, and gives
    the one that the process ends with. Threads that are ended as the run is to end do so without a traceback."""
    process, ending_of_threads = os.getpid(), threading.excepthook

    def exit_now(status: int) -> NoReturn:
        leave(at_exit(status) if os.getpid() == process else status)

    def thread_ended(end: threading.ExceptHookArgs) -> None:
        if not isinstance(end.exc_value, Stopped):
            ending_of_threads(end)

    os._exit, threading.excepthook = exit_now, thread_ended
    try:
        yield
    finally:
        if os._exit is exit_now:
            os._exit = leave
        if threading.excepthook is thread_ended:
            threading.excepthook = ending_of_threads


def end_as_child(outcome: Outcome) -> NoReturn:
    """The end of a process that the program has forked: as that of the program itself would be.

    Raises:
        SystemExit: always.
    """
    if outcome.traceback:
        sys.stderr.write(outcome.traceback)
    raise SystemExit(outcome.status)
