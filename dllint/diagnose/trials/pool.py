"""Running branches from the process that was diagnosed: a nursery is started when the first one is wanted."""

from __future__ import annotations

import contextlib
import json
import os
import select
import selectors
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import IO, Final

from dllint.diagnose.serial import to_json
from dllint.diagnose.trials.branch import Branch

#: What a nursery imports if the program had it: imports take most of a short branch's time.
_IMPORTS: Final = (
    "torch",
    "torch._dynamo",
    "torch.utils.data",
    "torchvision",
    "numpy",
    "keras",
    "tensorflow",
    "jax",
    "lightning",
    "transformers",
    "sklearn",
    "pandas",
)
_MOST_WORKERS: Final = 2
_CHUNK: Final = 1 << 16


def start_nursery() -> tuple[IO[bytes], IO[bytes], int]:
    """A process that runs branches: where to write, where to read from, and its number."""
    # A session of its own, so that it can be ended with all of its children.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "dllint.diagnose.trials.nursery"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout, process.pid


class Pool:
    """Branches, run side by side until a moment (of :func:`time.monotonic`)."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._requests, self._answers, self._process = start_nursery()
        os.set_blocking(self._requests.fileno(), False)
        self._workers = _workers()
        with contextlib.suppress(OSError):  # it is gone: no branch will have a result
            self._send({"imports": [name for name in _IMPORTS if name in sys.modules]})

    def run(
        self,
        branches: Sequence[Branch],
        began: Callable[[int], None],
        ended: Callable[[int, bool], None],
        until: float | None = None,
    ) -> None:
        """Run branches in their order; returns when all have ended, or the time is over. None is begun after ``until``.
        ``began`` and ``ended`` are told the number of each, and ``ended`` whether it did not end by itself; nothing is told of
        those that run when the time is over."""
        waiting, running = deque(enumerate(branches)), 0
        last = self._deadline if until is None else min(until, self._deadline)
        endings = self._endings()
        while True:
            while waiting and running < self._workers and monotonic() < last:
                number, branch = waiting.popleft()
                began(number)
                try:
                    self._send([number, to_json(branch)])
                except OSError:
                    return
                running += 1
            ending = next(endings, None) if running else None
            if ending is None:
                return
            running -= 1
            ended(*ending)

    def _send(self, data: object) -> None:
        """Send a line. A nursery that takes none by the end of the time, as when an import blocks, is taken for dead.

        Raises:
            OSError: it is.
        """
        rest = memoryview(json.dumps(data).encode() + b"\n")
        while rest:
            left = max(self._deadline - monotonic(), 0.0)
            if not select.select([], [self._requests], [], left)[1]:
                raise TimeoutError
            rest = rest[os.write(self._requests.fileno(), rest) :]

    def _endings(self) -> Iterator[tuple[int, bool]]:
        """The numbers of branches that have ended, as they come, and whether they did not do so by themselves."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ)
            rest = b""
            while (left := self._deadline - monotonic()) > 0 and selector.select(left):
                got = os.read(self._answers.fileno(), _CHUNK)
                if not got:
                    return
                *lines, rest = (rest + got).split(b"\n")
                yield from ((int(number), cut == b"1") for number, cut in map(bytes.split, lines))

    def close(self) -> None:
        """End the nursery and what still runs in it."""
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        with contextlib.suppress(OSError):
            self._requests.close()
            self._answers.close()


def _workers() -> int:
    """Branches that run at once: one on an accelerator, where they would share its memory."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        return 1
    return min(_MOST_WORKERS, os.cpu_count() or 1)
