"""Termination of runs that start processes: on a signal, no process outlives the run."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from types import FrameType
from typing import Final, NoReturn

from dllint.engine.ended import EndedError

#: What asks a process to end, beside Ctrl-C; a terminal that is closed, a job that is cancelled.
_ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
#: Seconds between two looks at whether the process that started this one is still there.
_LOOK: Final = 1.0


@contextmanager
def ending_raises() -> Iterator[None]:
    """Inside, what asks the process to end raises :class:`EndedError`, so that what has been started can be ended first.

    Signals that are ignored (``nohup``) stay so. Outside of the main thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _raise)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, _frame: FrameType | None) -> NoReturn:
    raise EndedError(number)


def end_with_parent() -> None:
    """Let this process end soon after the one that started it, however that one ended."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    started_by = multiprocessing.parent_process()
    sentinels = [] if started_by is None else [started_by.sentinel]
    while os.getppid() == parent and not wait(sentinels, _LOOK):  # a sibling may hold the sentinel open
        pass
    os._exit(1)
