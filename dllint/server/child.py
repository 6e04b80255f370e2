"""A program of the user's that runs beside the server, in a process group of its own so that it can be ended as a whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

#: Seconds between being asked to end and being ended.
_GRACE: Final = 2.0
_STEP: Final = 0.05
#: Keeps the folders of scripts off the module path of the server's own processes; the user's programs need theirs.
_OWN_VARIABLE: Final = "PYTHONSAFEPATH"


class Tail:
    """The lines of a file that is being written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = 0
        self._begun = b""

    def lines(self) -> list[str]:
        """The lines that were completed since the last call."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._position)
                new = stream.read()
        except FileNotFoundError:
            return []
        self._position += len(new)
        *done, self._begun = (self._begun + new).replace(b"\r", b"\n").split(b"\n")
        return [text for line in done if (text := line.decode("utf-8", "replace").strip())]


class Child:
    """The process; ``request`` is the number of the editor's request that wants it. Standard error
    goes to a file, so that a grandchild that keeps it open holds up nobody.

    Raises:
        OSError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str], folder: Path, errors: Path, request: int | str | None) -> None:
        self.request = request
        self.stopped = False
        nothing = subprocess.DEVNULL
        with errors.open("wb") as stream:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                [*command],
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name != _OWN_VARIABLE},
                stdin=nothing,
                stdout=nothing,
                stderr=stream,
                start_new_session=True,
            )

    @property
    def status(self) -> int | None:
        """The exit status; ``None`` while it runs."""
        return self._process.poll()

    async def stop(self) -> None:
        """End the program and all that it has started; after a moment without asking."""
        if self.stopped or self.status is not None:
            return
        self.stopped = True
        self._signal(signal.SIGTERM)
        for _ in range(int(_GRACE / _STEP)):
            if self.status is not None:
                break
            await asyncio.sleep(_STEP)
        self.kill()

    def kill(self) -> None:
        """End the program and all that it has started at once."""
        self.stopped = True
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], capture_output=True, check=False)
        else:
            self._signal(signal.SIGKILL)
        self._process.wait()

    def _signal(self, number: int) -> None:
        if sys.platform == "win32":
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
