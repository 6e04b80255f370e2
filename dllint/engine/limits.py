"""The last stop: how much CPU time one file may take, and how much memory a process.

What bounds an analysis in the first place is the work that it counts (:mod:`dllint.lower.options`), so that findings are the
same on every machine. These limits are for unforeseen cases. They are looked at while the processor works, by a
signal, so they need its timer and the main thread; elsewhere nothing is limited.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from types import FrameType
from typing import Final

from dllint.lower.options import StoppedError
from dllint.source.room import in_use

#: CPU seconds between two looks.
_LOOK: Final = 0.1
#: After a stop, what is known by then is still looked at, for this part of the time, or for this part of the memory more.
_GRACE: Final = 4
#: A process that holds this part of its memory between two files gives back what it keeps.
_HIGH: Final = 2
#: Giving back costs a look at all objects: it is done again when this part of the memory has come on top of what was left.
_GROWTH: Final = 8
#: Address space beside the memory in use, such as the stack of the parser. No single request gets past it.
_HEADROOM: Final = 2**30
_MIB: Final = 2**20


@dataclass(slots=True)
class Reached:
    """What has been reached while a file was checked, in words; empty if nothing was."""

    reason: str = ""
    by_memory: bool = False


class Limits:
    """The limits of one process. ``memory`` is in MiB; it is watched where the system says how much is in use."""

    def __init__(self, memory: int) -> None:
        self._share = memory * _MIB
        self._high = self._share // _HIGH
        self._text = f"{memory} MiB of memory"

    @contextmanager
    def watching(self, seconds: int) -> Iterator[Reached]:
        """Inside, :class:`StoppedError` is raised when a limit is reached, and again when the grace is over."""
        reached = Reached()
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield reached
            return
        space, used = in_use()
        most = max(self._share, used + self._share // _GRACE)
        watch = _Watch(reached, seconds, self._text, most)
        before = signal.signal(signal.SIGPROF, watch.look)
        signal.setitimer(signal.ITIMER_PROF, _LOOK, _LOOK)
        try:
            with _address_space(space + most - used + _HEADROOM if used else 0):
                yield reached
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    @property
    def is_high(self) -> bool:
        """Whether what the process keeps from file to file should be given back."""
        return in_use()[1] > self._high

    def given_back(self) -> None:
        """Note that it was. What is in use all the same, such as results, is no reason to do so again: memory is high next when
        it has grown by a part of the limit."""
        self._high = max(self._share // _HIGH, in_use()[1] + self._share // _GROWTH)


@dataclass(slots=True)
class _Watch:
    """Looks at what one file has taken. ``memory`` is in bytes, of the whole process."""

    reached: Reached
    seconds: int
    text: str
    memory: int
    began: float = field(default_factory=process_time)
    allowed: float = field(init=False)

    def __post_init__(self) -> None:
        self.allowed = float(self.seconds)

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Stop the work, if a limit has been reached."""
        by_memory = in_use()[1] > self.memory
        if not by_memory and process_time() - self.began < self.allowed:
            return
        if _is_importing(frame):  # half a module is worse than a little more time
            return
        if not self.reached.reason:
            self.reached.reason = self.text if by_memory else f"{self.seconds} second{'s'[: self.seconds != 1]} of CPU time"
            self.reached.by_memory = by_memory
        self.allowed = process_time() - self.began + self.seconds / _GRACE
        self.memory += self.memory // _GRACE if by_memory else 0
        raise StoppedError(self.reached.reason)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


@contextmanager
def _address_space(most: int) -> Iterator[None]:
    """Inside, no single request for memory gets past ``most``, if it is not 0."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    lowest = min((limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY), default=most + 1)
    if not 0 < most < lowest:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
