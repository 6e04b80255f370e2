"""Ends programs that hang: after the time limit an exception is raised in the main thread, wherever it is; if that does not end
the program either, it is given up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from dllint.diagnose.limits import Ending

#: How long a program may take to end after it was told to, in seconds.
GRACE: Final = 10.0


@contextmanager
def watchdog(seconds: float | None, ending: Ending, give_up: Callable[[str], None]) -> Iterator[None]:
    """Ask for the end after ``seconds``; where there are no alarms, the next step sees the request. ``give_up`` must not
    return."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    last = threading.Timer(seconds + GRACE, give_up, args=("time",))
    last.daemon = True
    last.start()
    try:
        with _alarm(seconds, ending):
            yield
    finally:
        last.cancel()


@contextmanager
def _alarm(seconds: float, ending: Ending) -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        ending.request("time")
        ending.raise_if_requested()

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
