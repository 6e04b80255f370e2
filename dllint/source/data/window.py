"""A file of any size, of which a bounded part is read."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dllint.source.data.plain import UnreadableError
from dllint.source.regular import opened_regular

#: The most bytes that are read of one file, and at once.
MOST_BYTES: Final = 8 * 2**20
_MOST_AT_ONCE: Final = 2 * 2**20


class Window(io.RawIOBase):
    """A regular file that is open for reading; reading more than :data:`MOST_BYTES` raises UnreadableError."""

    def __init__(self, descriptor: int, size: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._place = 0
        self._left = MOST_BYTES
        self.size = size

    def seekable(self) -> bool:
        """A file can be read at any place."""
        return True

    def readable(self) -> bool:
        """It is open for reading."""
        return True

    def tell(self) -> int:
        """The place of the next byte."""
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self.size}[whence]
        if start + offset < 0:
            raise UnreadableError("before the beginning")
        self._place = start + offset
        return self._place

    def read(self, size: int = -1) -> bytes:
        """So many bytes, less at the end of the file; ``-1``: all that are left."""
        size = max(self.size - self._place, 0) if size is None or size < 0 else size
        if size > min(_MOST_AT_ONCE, self._left):
            raise UnreadableError("too large")
        parts: list[bytes] = []
        os.lseek(self._descriptor, min(self._place, self.size), os.SEEK_SET)
        while size > 0 and (part := os.read(self._descriptor, size)):
            parts.append(part)
            size -= len(part)
        data = b"".join(parts)
        self._place += len(data)
        self._left -= len(data)
        return data

    def at(self, place: int, size: int) -> bytes:
        """So many bytes at a place. Raises UnreadableError if the file ends before."""
        if place < 0 or size < 0 or place + size > self.size:
            raise UnreadableError("beyond the end")
        self.seek(place)
        data = self.read(size)
        if len(data) < size:
            raise UnreadableError("cut off")
        return data


@contextmanager
def window(path: Path | str) -> Iterator[Window]:
    """A regular file, open inside. Raises OSError if there is none, or something else."""
    with opened_regular(path) as (descriptor, size):
        yield Window(descriptor, size)
