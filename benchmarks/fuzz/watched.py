"""Work in processes that are watched: what raises, hangs, swells or dies is one answer among the others."""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

Item = TypeVar("Item")

#: How often the clocks of the workers are looked at, in seconds.
_GLANCE: Final = 0.5
#: Items after which a worker is renewed, so that none sees much of what the others have left.
_RENEWED_AFTER: Final = 400
#: A worker that waits for something, and takes no time of the processor, is ended after so many times its limit.
_PATIENCE: Final = 10
_LONGEST_TRACE: Final = 6000


@dataclass(frozen=True, slots=True)
class Limits:
    """What one item may take."""

    cpu_s: float = 20.0
    memory: int = 2 * 2**30


@dataclass(frozen=True, slots=True)
class Ended(Generic[Item]):
    """How the work on an item ended: it gave ``value``, or ``kind`` is ``exception``, ``time``, ``memory`` or ``death``."""

    item: Item
    kind: str
    value: Any
    detail: str
    cpu_s: float
    peak_mib: float


def watched(
    work: Callable[[Item], Any], items: Iterable[Item], *, jobs: int = 1, limits: Limits | None = None
) -> Iterator[Ended[Item]]:
    """What ``work`` gives for every item, as it ends. Workers are forked when they are needed."""
    limits = limits or Limits()
    waiting = iter(items)
    workers: dict[Connection, _Worker[Item]] = {}
    try:
        for _ in range(jobs):
            _give(_Worker(work, limits), waiting, workers)
        while workers:
            for connection in wait(list(workers), _GLANCE):
                worker = workers.pop(connection)  # type: ignore[arg-type]
                ended = worker.answer()
                if ended.kind or worker.done >= _RENEWED_AFTER:
                    worker.end()
                    worker = _Worker(work, limits)
                yield ended
                _give(worker, waiting, workers)
            for connection, worker in list(workers.items()):
                if worker.is_over():
                    del workers[connection]
                    yield worker.stopped()
                    _give(_Worker(work, limits), waiting, workers)
    finally:
        for worker in workers.values():
            worker.end()


def _give(worker: _Worker[Item], waiting: Iterator[Item], workers: dict[Connection, _Worker[Item]]) -> None:
    try:
        item = next(waiting)
    except StopIteration:
        worker.end()
        return
    worker.give(item)
    workers[worker.connection] = worker


class _Worker(Generic[Item]):
    """A forked process that works on one item after the other."""

    def __init__(self, work: Callable[[Item], Any], limits: Limits) -> None:
        context = get_context("fork")
        self._limits = limits
        self._trace = tempfile.TemporaryFile("w+b")  # noqa: SIM115
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(work, theirs, self._trace.fileno(), limits), daemon=True)
        self._process.start()
        theirs.close()
        self.done = 0
        self._item: Item | None = None
        self._began = self._cpu = 0.0

    def give(self, item: Item) -> None:
        """Let it work on an item."""
        self._item, self._began, self._cpu = item, time.monotonic(), self._clock()
        self.done += 1
        self.connection.send(item)

    def is_over(self) -> bool:
        """Whether the item has had the time that there is."""
        limit = 1.25 * self._limits.cpu_s + 1
        return self._clock() - self._cpu > limit or time.monotonic() - self._began > limit * _PATIENCE

    def answer(self) -> Ended[Item]:
        """What the process has sent; or that it has died."""
        assert self._item is not None
        try:
            kind, value, detail, cpu_s, peak_mib = self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            return Ended(self._item, "death", None, f"exit status {self._process.exitcode}\n{self._stack()}", 0.0, 0.0)
        if not kind and cpu_s > self._limits.cpu_s:
            kind, detail = "time", f"{cpu_s:.1f} CPU s"
        if kind in ("", "exception") and peak_mib > self._limits.memory / 2**20:
            kind, detail = "memory", f"{peak_mib:.0f} MiB {detail}"
        return Ended(self._item, kind, value, detail, cpu_s, peak_mib)

    def stopped(self) -> Ended[Item]:
        """End a process whose time is over; the detail says where it was."""
        assert self._item is not None
        assert self._process.pid is not None
        taken = self._clock() - self._cpu
        os.kill(self._process.pid, signal.SIGUSR1)
        time.sleep(0.5)
        self.end()
        return Ended(self._item, "time", None, f"{taken:.1f} CPU s\n{self._stack()}", taken, 0.0)

    def end(self) -> None:
        """End the process."""
        self.connection.close()
        self._process.kill()
        self._process.join()

    def _clock(self) -> float:
        """The processor time of the process so far, its threads included."""
        try:
            return time.clock_gettime((~(self._process.pid or 0) << 3) | 2)
        except OSError:
            return self._cpu

    def _stack(self) -> str:
        self._trace.seek(0)
        return self._trace.read()[:_LONGEST_TRACE].decode(errors="replace")


def _serve(work: Callable[[Item], Any], connection: Connection, trace: int, limits: Limits) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable(trace, all_threads=False)
    faulthandler.register(signal.SIGUSR1, trace, all_threads=False)
    most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + 2 * limits.memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    inherited = _memory_mib("VmRSS")
    while True:
        try:
            item = connection.recv()
        except EOFError:
            return
        connection.send(_worked(work, item, inherited))


def _worked(work: Callable[[Item], Any], item: Item, inherited: float) -> tuple[str, Any, str, float, float]:
    """How the work ended, with its value, its CPU seconds and the most MiB that the process has had beyond those that it
    shared with its parent at first."""
    _forget_peak()
    before, kind, value, detail = time.process_time(), "", None, ""
    try:
        value = work(item)
    except MemoryError:
        kind, detail = "memory", traceback.format_exc()[-_LONGEST_TRACE:]
    except BaseException:
        kind, detail = "exception", traceback.format_exc()[-_LONGEST_TRACE:]
    return kind, value, detail, time.process_time() - before, max(0.0, _memory_mib("VmHWM") - inherited)


def _forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def _memory_mib(what: str) -> float:
    """What the process has in memory (``VmRSS``), or has had at most since :func:`_forget_peak` (``VmHWM``)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) / 1024
    return 0.0
