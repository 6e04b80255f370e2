"""Repetition of a step in a child process: the program goes on afterwards, and whatever its step counts, prints or keeps would
otherwise be there twice."""

from __future__ import annotations

import json
import os
import select
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import torch

from dllint.diagnose.records import NumericFault
from dllint.diagnose.serial import from_json, to_json

#: Seconds after which a child that does not answer is ended: it may wait for threads that only its parent has.
_PATIENCE: Final = 20.0
_PART: Final = 1 << 16


def can_be_apart() -> bool:
    """Whether a child can compute what this process can: accelerators in use do not go along."""
    return hasattr(os, "fork") and not torch.cuda.is_initialized()  # type: ignore[no-untyped-call]


def explained_apart(explain: Callable[[], NumericFault]) -> NumericFault | None:
    """What ``explain`` gives in a child process; ``None`` if that fails or does not end."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Later releases of Python warn of threads, which the child has none of.
        warnings.simplefilter("ignore")
        child = os.fork()
    if not child:
        os.close(reading)
        _answer(writing, explain)
    os.close(writing)
    try:
        answer = _read(reading)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(child, 0)
    try:
        return from_json(NumericFault, json.loads(answer))
    except (KeyError, TypeError, ValueError):
        return None


def _answer(writing: int, explain: Callable[[], NumericFault]) -> None:
    """The work of the child, which ends in it."""
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            os.dup2(silence, descriptor)
        # The threads of the parent's computations are not there.
        torch.set_num_threads(1)
        with os.fdopen(writing, "wb") as stream:
            stream.write(json.dumps(to_json(explain())).encode())
    finally:
        os._exit(0)


def _read(reading: int) -> bytes:
    """All that is written into a pipe, within the time that is allowed."""
    parts: list[bytes] = []
    until = time.monotonic() + _PATIENCE
    while select.select([reading], [], [], max(until - time.monotonic(), 0.0))[0]:
        part = os.read(reading, _PART)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)
