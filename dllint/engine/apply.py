"""Writing files whose text has been edited: atomically, and nothing over a file that has changed.

Whoever changes a checkout meanwhile may put a link in the place of a folder. So the folder of a file is opened once, without
following links below the project, and everything else happens in what was opened, wherever it is called by then.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from difflib import unified_diff
from pathlib import Path
from typing import Final

from dllint.config.confinement import lies_in, project_of
from dllint.source.regular import read_opened

_BY_PATH: Final = os.open not in os.supports_dir_fd
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


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
    with _writable(path, expected) as (name, folder, mode):
        _replace(name, folder, data, mode)


def require_writable(path: Path, expected: bytes) -> None:
    """Raise what :func:`write_atomically` would raise, if it is known before anything is written."""
    with _writable(path, expected):
        pass


@contextmanager
def _writable(path: Path, expected: bytes) -> Iterator[tuple[str, int | None, int]]:
    """A file that may be written: its name in its folder, the descriptor of that, and its mode."""
    project = _anchor(path.absolute())
    target = path.resolve()
    if not lies_in(target, project):
        raise LeftAloneError("it is a symbolic link that leads out of the project")
    with _opened(target.parent, project.resolve()) as folder:
        name = target.name if folder is not None else str(target)
        content, status = read_opened(name, folder)
        if status.st_nlink > 1:
            raise LeftAloneError("it is a hard link: the same file has other names")
        writable = status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
        if not writable or not os.access(name, os.W_OK, dir_fd=folder):
            raise LeftAloneError("it is read-only")
        if content != expected:
            raise StaleFileError(str(path))
        yield name, folder, stat.S_IMODE(status.st_mode)


def _anchor(path: Path) -> Path:
    """The folder below which no link is followed: the project; without a repository the one that dllint works in, if the path
    lies below it."""
    project, here = project_of(path.parent), Path.cwd()
    return here if project == path.parent and path.is_relative_to(here) else project


@contextmanager
def _opened(folder: Path, project: Path) -> Iterator[int | None]:
    """A descriptor of a folder that lies in a project, both without links; ``None`` where the system has none.

    Raises:
        LeftAloneError: a link has been put in the place of a folder.
        OSError: it cannot be opened.
    """
    if _BY_PATH:
        yield None
        return
    if not folder.is_relative_to(project):  # one of them is another by now
        raise LeftAloneError("its folder was replaced")
    descriptor = os.open(project, _FOLDER)
    try:
        for part in folder.relative_to(project).parts:
            below = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _replace(name: str, folder: int | None, data: bytes, mode: int) -> None:
    """Put a new file in the place of one in a folder."""
    import secrets

    directory, base = os.path.split(name)
    temporary = os.path.join(directory, f".{base[:100]}.{secrets.token_hex(6)}.dllint")
    descriptor = os.open(temporary, _NEW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
            if folder is not None:
                os.fchmod(stream.fileno(), mode)
        if folder is None:
            os.chmod(temporary, mode)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def unified(path: str, before: str, after: str) -> str:
    """A unified diff of one file, with the marker for a missing final newline."""
    lines = unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), path, path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
