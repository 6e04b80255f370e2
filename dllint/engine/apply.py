"""Applying edits to texts and files: no overlaps, atomic writes, nothing written over a file that has changed."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

from dllint.config.confinement import lies_in, project_of
from dllint.edit import Edit, Fix
from dllint.source.regular import read_regular


class StaleFileError(Exception):
    """A file changed on disk between its analysis and the writing of its fixes."""


class LeftAloneError(OSError):
    """A file is not written because it may be another's, or is not meant to be changed; the message says why."""


def overlap(left: Edit, right: Edit) -> bool:
    """Whether two edits touch the same characters, or insert at the same place."""
    if left.path != right.path:
        return False
    if left.start == right.start:
        return left != right or left.start == left.end
    first, second = (left, right) if left.start < right.start else (right, left)
    return second.start < first.end


def compatible(fixes: Sequence[Fix]) -> list[Fix]:
    """The fixes that can be applied together, in their order: each one none of whose edits overlaps an earlier one's.
    An edit that several fixes have in common (an import, a renamed argument) is no conflict."""
    chosen: list[Fix] = []
    edits: set[Edit] = set()
    for fix in fixes:
        if not any(overlap(new, old) for new in fix.edits for old in edits if new != old):
            chosen.append(fix)
            edits.update(fix.edits)
    return chosen


def edits_by_path(fixes: Iterable[Fix]) -> dict[Path, list[Edit]]:
    """The distinct edits of fixes, by file, in order."""
    distinct = sorted({edit for fix in fixes for edit in fix.edits})
    by_path: dict[Path, list[Edit]] = {}
    for edit in distinct:
        by_path.setdefault(edit.path, []).append(edit)
    return by_path


def moved(offset: int, edits: Iterable[Edit]) -> int:
    """Where a place of the old text lies after edits; a place inside a replaced part moves to the part's start."""
    shift = 0
    for edit in sorted(edits):
        if edit.end <= offset and edit.start < offset:
            shift += len(edit.content) - (edit.end - edit.start)
        elif edit.start <= offset < edit.end:
            return edit.start + shift
    return offset + shift


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
