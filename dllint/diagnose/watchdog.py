"""Time limits. A program that exceeds its limit gets an exception in the main thread; if that does not end it, it is abandoned.
Experiments after the run are limited in the same way, block by block."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Final

from dllint.diagnose.limits import Ending, TookTooLongError

#: How long a program may take to end after it was asked to, in seconds.
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


#: Seconds that a block of what is tried after the run may last: as long as the run, between bounds; and once one has lasted
#: too long.
_PATIENT: Final = 120.0
_MOST_PATIENT: Final = 600.0
_IMPATIENT: Final = 10.0
#: Seconds between alarms, for what goes on after one.
_AGAIN: Final = 1.0


class Patience:
    """How long blocks may last, by the clock; after one that has lasted too long, the others get little time."""

    def __init__(self) -> None:
        self._is_lost = False

    @contextmanager
    def lasting(self, seconds: float, give_up: Callable[[str], None], times: int = 1) -> Iterator[None]:
        """A block after a run of so many seconds, which may last ``times`` as long as others. When its time is over, it ends
        with :class:`TookTooLongError`. If that does not end it, or in another thread than the main one, ``give_up`` is called
        from a thread with what there is to say. Of blocks in each other, each has its own time."""
        allowed = times * (_IMPATIENT if self._is_lost else min(max(_PATIENT, seconds), _MOST_PATIENT))
        reason = f"no end after {allowed:.0f} seconds"

        def ring(number: int, frame: FrameType | None) -> None:
            self._is_lost = True
            raise TookTooLongError(reason)

        last = threading.Timer(allowed + GRACE, give_up, args=(reason,))
        last.daemon = True
        last.start()
        try:
            with _alarms(allowed, ring):
                yield
        finally:
            last.cancel()


@contextmanager
def _alarms(seconds: float, ring: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Ring after ``seconds``, and then again and again; alarms from outside the block wait."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before, began = signal.signal(signal.SIGALRM, ring), monotonic()
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (monotonic() - began), _AGAIN), interval)


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
