"""A row at the bottom of the terminal that is kept out of the way of what is printed.

The terminal itself scrolls only the rows above it, so that nothing has to be known of what is printed there, by whom, and by
which means: neither ``sys.stdout`` nor ``sys.stderr`` is replaced, and progress bars of the program's own work as they do.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_FEWEST_ROWS: Final = 5
_SAVE, _RESTORE = "\x1b7", "\x1b8"


class StatusRow:
    """The row, on the terminal with a file descriptor. It is taken at the first text and given back by :meth:`close`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size: os.terminal_size | None = None
        self._process = os.getpid()

    def show(self, text: str) -> None:
        """Replace what stands in the row."""
        size = self._terminal_size()
        if size is None or os.getpid() != self._process:
            return
        if size != self._size:
            self._take(size)
        self._write(f"{_SAVE}\x1b[{size.lines};1H\x1b[2K\x1b[2m{text[: size.columns - 1]}\x1b[0m{_RESTORE}")

    def close(self) -> None:
        """Give the row back, empty."""
        if self._size is not None and os.getpid() == self._process:
            self._write(f"{_SAVE}\x1b[r\x1b[{self._size.lines};1H\x1b[2K{_RESTORE}")
            self._size = None

    def _take(self, size: os.terminal_size) -> None:
        """Keep the last row from scrolling; the line feed makes room if the cursor stands in it."""
        room = "" if self._size is not None else "\n\x1b[1A"
        self._size = size
        self._write(f"{room}{_SAVE}\x1b[1;{size.lines - 1}r{_RESTORE}")

    def _terminal_size(self) -> os.terminal_size | None:
        with contextlib.suppress(OSError):
            size = os.get_terminal_size(self._descriptor)
            return size if size.lines >= _FEWEST_ROWS else None
        return None

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            os.write(self._descriptor, text.encode())


@contextmanager
def status_row(wanted: bool) -> Iterator[StatusRow | None]:
    """The row of the terminal behind standard error; ``None`` if there is none, or it is not ``wanted``."""
    if not wanted or sys.platform == "win32" or os.environ.get("TERM", "dumb") == "dumb" or not sys.stderr.isatty():
        yield None
        return
    descriptor = os.dup(sys.stderr.fileno())  # the program may lead its own elsewhere
    row = StatusRow(descriptor)
    try:
        yield row
    finally:
        row.close()
        os.close(descriptor)
