"""An editor that was killed says no goodbye; the server must not outlive it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from threading import Thread
from typing import Final

_SECONDS: Final = 3.0


def exit_with(process: int, last: Callable[[], None]) -> None:
    """End this process soon after another one has ended; ``last`` is done before."""
    Thread(target=_watch, args=(process, last), name="parent", daemon=True).start()


def _watch(process: int, last: Callable[[], None]) -> None:
    while is_alive(process):
        time.sleep(_SECONDS)
    last()
    os._exit(1)


def is_alive(process: int) -> bool:
    """Whether a process exists."""
    if sys.platform == "win32":
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_alive_on_windows(process: int) -> bool:
    import ctypes

    synchronize, timeout = 0x00100000, 0x00000102
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return False
    alive: bool = kernel.WaitForSingleObject(handle, 0) == timeout
    kernel.CloseHandle(handle)
    return alive
