"""Limits on the observation of a run, and ways of ending it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

#: How often the end may be caught by the program before it is ended from outside.
PATIENCE: Final = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a run; ``None`` is no bound. ``memory`` is of the process, in bytes; ``device_memory`` of the accelerator."""

    steps: int | None = None
    seconds: float | None = None
    memory: int | None = None
    device_memory: int | None = None


class TookTooLongError(BaseException):
    """Ends an experiment after the run; programs do not catch it, as it is no ``Exception``."""


class Stopped(BaseException):
    """Ends the user's program: no exception that programs catch.

    ``reason`` is one of the values of ``RunRecord.ended``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def resident_memory() -> int:
    """The process's memory in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            import resource

            return int(stream.read().split()[1]) * resource.getpagesize()
    except (OSError, ImportError, ValueError, IndexError):
        return 0


def available_memory() -> int | None:
    """The bytes that another process could still take; ``None`` where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as stream:
            row = next(line for line in stream if line.startswith("MemAvailable:"))
        return int(row.split()[1]) << 10
    except (OSError, ValueError, IndexError, StopIteration):
        return None


class Ending:
    """Whether the run is to end, and why. Programs that catch everything see the exception again at each step; after
    ``PATIENCE`` times ``give_up`` is called, which must not return. ``polite``: nothing is raised, whoever watches ends the
    program by its own means."""

    def __init__(self, give_up: Callable[[str], None], *, polite: bool = False) -> None:
        self.reason: str | None = None
        self._raised = 0
        self._give_up = give_up
        self._polite = polite

    def request(self, reason: str) -> None:
        """Ask for the end; the first reason stays."""
        self.reason = self.reason or reason

    def raise_if_requested(self) -> None:
        """End the program if that was asked for.

        Raises:
            Stopped: it was.
        """
        if self.reason is None or self._polite:
            return
        self._raised += 1
        if self._raised > PATIENCE:
            self._give_up(self.reason)
        raise Stopped(self.reason)
