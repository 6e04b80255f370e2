"""Reading the files of a checkout that nobody has to trust: regular ones, of bounded size, without ever waiting.

What stands in a folder may be a pipe, a socket, a device, a link to one of these, or a file of a terabyte that takes no space.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

#: The most bytes of any file that are read, unless the caller names another number.
LARGEST: Final = 64 * 2**20
_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_PIECE: Final = 1 << 20


def read_regular(path: Path | str, limit: int = LARGEST, *, follow: bool = True) -> bytes:
    """The content of a regular file of at most ``limit`` bytes; ``follow``: it may be a link to one.

    Raises:
        OSError: it cannot be read, is something else, or is larger (``EFBIG``).
    """
    descriptor, size = _opened(path, follow)
    try:
        if size > limit:
            raise _too_large(path, size, limit)
        data = _read(descriptor, limit + 1)
    finally:
        os.close(descriptor)
    if len(data) > limit:  # it has grown, or does not say how large it is
        raise _too_large(path, len(data), limit)
    return data


def read_opened(name: str, folder: int | None) -> tuple[bytes, os.stat_result]:
    """The content and the state of a regular file, no link, in a folder that is open (``None``: by its path).

    Raises:
        OSError: it cannot be read, is something else, or is larger than :data:`LARGEST`.
    """
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        raise _irregular(name, status)
    descriptor = os.open(name, _FLAGS | _NO_LINK, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _irregular(name, status)
        data = _read(descriptor, LARGEST + 1)
    finally:
        os.close(descriptor)
    if len(data) > LARGEST:
        raise _too_large(name, len(data), LARGEST)
    return data, status


def read_head(path: Path | str, most: int) -> bytes:
    """The first bytes of a regular file. Raises OSError like :func:`read_regular`."""
    descriptor, _ = _opened(path, True)
    try:
        return _read(descriptor, most)
    finally:
        os.close(descriptor)


@contextmanager
def opened_regular(path: Path | str) -> Iterator[tuple[int, int]]:
    """Inside, the descriptor and the size of a regular file. Raises OSError if there is none, or something else."""
    descriptor, size = _opened(path, True)
    try:
        yield descriptor, size
    finally:
        os.close(descriptor)


def require_regular(path: Path | str) -> int:
    """The size of a regular file. Raises OSError if there is none, or something else."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise _irregular(path, status)
    return status.st_size


def _opened(path: Path | str, follow: bool) -> tuple[int, int]:
    """A descriptor of a regular file, and its size. Asked before it is opened, too: opening a device may do something."""
    status = os.stat(path, follow_symlinks=follow)
    if not stat.S_ISREG(status.st_mode):
        raise _irregular(path, status)
    descriptor = os.open(path, _FLAGS if follow else _FLAGS | _NO_LINK)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise _irregular(path, status)
    return descriptor, status.st_size


def _read(descriptor: int, most: int) -> bytes:
    parts: list[bytes] = []
    while most > 0 and (part := os.read(descriptor, min(most, _PIECE))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _irregular(path: Path | str, status: os.stat_result) -> OSError:
    if stat.S_ISDIR(status.st_mode):
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return OSError(errno.EINVAL, "not a regular file", str(path))


def _too_large(path: Path | str, size: int, limit: int) -> OSError:
    return OSError(errno.EFBIG, f"{size} bytes are more than {limit}", str(path))
