"""Writing files whose text has been edited: atomically, and nothing over a file that has changed."""

from __future__ import annotations

import os
import stat
import tempfile
from difflib import unified_diff
from pathlib import Path

from dllint.config.confinement import lies_in, project_of
from dllint.source.regular import read_regular


class StaleFileError(Exception):
    """A file changed on disk between its analysis and the writing of its fixes."""


class LeftAloneError(OSError):
    """A file is not written because it may be another's, or is not meant to be changed; the message says why."""


def write_atomically(path: Path, data: bytes, expected: bytes) -> None:
    """Replace a file's content by way of a temporary file beside it; its mode is kept, symbolic links inside of the project are
    followed.

    Raises:
        StaleFileError: the file no longer has the ``expected`` content.
        LeftAloneError: it is a file that is not to be written.
        OSError: it cannot be read or written.
    """
    target = path.resolve()
    if not lies_in(target, project_of(path.absolute().parent)):
        raise LeftAloneError("it is a symbolic link that leads out of the project")
    status = target.stat()
    if status.st_nlink > 1:
        raise LeftAloneError("it is a hard link: the same file has other names")
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(target, os.W_OK):
        raise LeftAloneError("it is read-only")
    if read_regular(target) != expected:
        raise StaleFileError(str(path))
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".dllint")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def unified(path: str, before: str, after: str) -> str:
    """A unified diff of one file, with the marker for a missing final newline."""
    lines = unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), path, path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
