"""SIGTERM, as launchers and batch systems send it: it ends the run, or what is done after it, and the report is written.

The main thread may be waiting inside a library, where no Python handler is run (under torchrun, for a process that has
failed): a thread that the signal wakes gives it up in time.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from dllint.diagnose.limits import Ending
from dllint.diagnose.ranks.team import is_launched

#: Seconds that the main thread has for ending by itself. Launchers and batch systems kill after about 30.
_GRACE: Final = 3.0


@contextmanager
def last_report(ending: Ending, give_up: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, end the program in an orderly way on SIGTERM, unless it handles the signal by itself. ``give_up``
    must not return."""
    if not _is_free():
        yield
        return

    def terminate(number: int, frame: FrameType | None) -> None:
        ending.request("terminated")
        ending.raise_if_requested()

    over = threading.Event()

    def await_signal() -> None:
        with woken:
            while number := woken.recv(1):
                ours = number[0] == signal.SIGTERM and signal.getsignal(signal.SIGTERM) is terminate
                if ours and not over.wait(_GRACE):
                    give_up("terminated")

    def is_ours() -> bool:
        return not over.is_set() and signal.getsignal(signal.SIGTERM) is terminate

    woken, waker = socket.socketpair()
    waker.setblocking(False)
    _leave_to_children(is_ours)
    signal.signal(signal.SIGTERM, terminate)
    earlier = signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=await_signal, name="dllint-termination", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        if signal.set_wakeup_fd(earlier) != waker.fileno():
            # The program, or its event loop, has set its own; it is of no use once the program has ended.
            signal.set_wakeup_fd(-1)
        if signal.getsignal(signal.SIGTERM) is terminate:
            # The report is being made; a launcher waits for it.
            is_ending = ending.reason == "terminated" or is_launched()
            signal.signal(signal.SIGTERM, signal.SIG_IGN if is_ending else signal.SIG_DFL)
        waker.close()


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """While the block runs, SIGTERM raises KeyboardInterrupt, unless the program handles the signal by itself."""
    if not _is_free():
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave_to_children(is_ours: Callable[[], bool]) -> None:
    """Let the signal end forked processes as it would by itself, and wake nothing of their parent's, from their first moment
    on."""
    masks: dict[int, set[int | signal.Signals]] = {}

    def block() -> None:
        if is_ours():
            masks[threading.get_ident()] = set(signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]))

    def unblock() -> None:
        mask = masks.pop(threading.get_ident(), None)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def release() -> None:
        if is_ours():
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        unblock()

    os.register_at_fork(before=block, after_in_parent=unblock, after_in_child=release)


def _is_free() -> bool:
    """Whether nobody handles the signal, and this thread may."""
    return threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
