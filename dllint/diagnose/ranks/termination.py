"""A last report when the launcher terminates this process, as torchrun does when another one has failed.

The main thread may then be waiting for that other process inside a library, where no Python handler is run: a thread that the
signal wakes gives it up in time.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from dllint.diagnose.limits import Ending
from dllint.diagnose.ranks.team import is_launched

#: Seconds that the main thread has for ending by itself. Launchers kill after about 30.
_GRACE: Final = 3.0


@contextmanager
def last_report(ending: Ending, give_up: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, end the program in an orderly way on SIGTERM. Only under a launcher, and only if nobody else
    handles the signal. ``give_up`` must not return."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not is_launched() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
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

    woken, waker = socket.socketpair()
    waker.setblocking(False)
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
            # The report is being made.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        waker.close()
