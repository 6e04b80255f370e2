"""Running branches from the process that was diagnosed: a nursery is started when the first one is wanted."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
        [sys.executable, "-m", "dllint.diagnose.trials.nursery"],
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
        first = {"imports": [name for name in _IMPORTS if name in sys.modules], "workers": _workers()}
        with contextlib.suppress(OSError):  # it is gone: no branch will have a result
            self._send(first)

    def run(self, branches: Sequence[Branch]) -> None:
        """Run branches; returns when all have ended, or the time is over."""
        awaited = set(range(len(branches)))
        try:
            self._send([to_json(branch) for branch in branches])
        except OSError:
            return
        for number in self._numbers():
            awaited.discard(number)
            if not awaited:
                return

    def _send(self, data: object) -> None:
        self._requests.write(json.dumps(data).encode() + b"\n")
        self._requests.flush()

    def _numbers(self) -> Iterator[int]:
        """The numbers of branches that have ended, as they come."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ)
            rest = b""
            while (left := self._deadline - monotonic()) > 0 and selector.select(left):
                got = os.read(self._answers.fileno(), _CHUNK)
                if not got:
                    return
                *lines, rest = (rest + got).split(b"\n")
                yield from map(int, lines)

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
