"""An overlay of two file trees: the program's files below, and above them a folder with everything that it writes.

The folder has every changed file under its absolute path. What the program has removed of the tree below is remembered, and not
seen any more. Nothing below is ever changed.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

#: How a program names a file: by its path, or by the number of an open one.
FilePath = str | bytes | os.PathLike[str] | os.PathLike[bytes] | int

#: The functions as they are before a program's are led away.
PLAIN: Final = SimpleNamespace(**{name: getattr(os, name) for name in (
    "open", "stat", "lstat", "listdir", "scandir", "readlink", "mkdir", "symlink", "chmod", "utime", "getcwd", "fstat",
)})  # fmt: skip
_opened: Final = open
_MOST_LINKS: Final = 40
_CHUNK: Final = 1 << 20


def failure(number: int, path: FilePath) -> OSError:
    """The error that the system raises."""
    return OSError(number, os.strerror(number), path)


class Overlay:
    """Full paths are absolute, with all links on the way to them resolved."""

    def __init__(self, folder: Path, homes: Sequence[str]) -> None:
        self._folder = os.path.realpath(folder)
        self._root = os.path.join(self._folder, "files")
        self._free = (os.path.realpath(tempfile.gettempdir()) + os.sep, "/dev/", "/proc/")
        #: Where the program is at home: its files are the user's, even in the folder of temporary files.
        self._kept = tuple({os.path.realpath(home) + os.sep for home in homes})
        self._removed: set[str] = set()
        self._folders: dict[int, tuple[str, tuple[int, int]]] = {}
        self._current: str | None = None
        #: What is being opened by a function of the program's, which comes here by itself.
        self.entrusted: Any = None

    @property
    def current(self) -> str:
        """The folder that relative paths begin at."""
        return self._current or str(PLAIN.getcwd())

    def move_to(self, full: str) -> None:
        """Relative paths begin there from now on."""
        self._current = full

    def full(self, path: FilePath, *, follow: bool = True, folder: int | None = None) -> str | None:
        """The absolute path of a file that the program names; ``None`` for what is not redirected, such as descriptors.
        ``folder`` is the descriptor that a relative path starts at."""
        if not isinstance(path, str | bytes | os.PathLike):
            return None
        text = os.fsdecode(path)
        if not text or "\0" in text:
            return None
        if not os.path.isabs(text):
            base = self.current if folder is None else self.folder_of(folder)
            if base is None:
                return None
            text = os.path.join(base, text)
        return self._resolved(text, follow)

    def _resolved(self, path: str, follow: bool) -> str:
        drive, rest = os.path.splitdrive(path)
        found, waiting, links = drive + os.sep, _names(rest), 0
        while waiting:
            name = waiting.pop()
            if name == os.pardir:
                if not self.is_folder(found):
                    return os.path.join(found, name, *reversed(waiting))
                found = os.path.dirname(found)
                continue
            here = os.path.join(found, name)
            target = self._link(here) if (waiting or follow) and links < _MOST_LINKS else None
            if target is None:
                found = here
                continue
            links += 1
            found = drive + os.sep if os.path.isabs(target) else found
            waiting += _names(os.path.splitdrive(target)[1])
        return found

    def _link(self, full: str) -> str | None:
        try:
            return str(PLAIN.readlink(self.place(full)))
        except (OSError, ValueError):
            return None

    def is_free(self, full: str) -> bool:
        """Whether something may be written where the program means it to be."""
        if (full + os.sep).startswith(self._folder + os.sep):
            return True
        return full.startswith(self._free) and not (full + os.sep).startswith(self._kept)

    def above(self, full: str) -> str:
        """The path of a file in the upper tree."""
        return full if self.is_free(full) else self._mirrored(full)

    def _mirrored(self, full: str) -> str:
        return os.path.join(self._root, full.lstrip(os.sep).replace(":", ""))

    def place(self, full: str) -> str:
        """Where a file is read from; there is none at that place if the program sees none."""
        above = self.above(full)
        if above == full or self._is_hidden(full) or _mode(above) is not None:
            return above
        return full if _mode(full) is not None else self._place_of_nothing(full)

    def _place_of_nothing(self, full: str) -> str:
        """Where the system says why there is no such file: in the tree that has the innermost folder on the way."""
        parent = full
        while parent != os.path.dirname(parent):
            parent = os.path.dirname(parent)
            if _mode(self._mirrored(parent)) is not None:
                return self.above(full)
            if _mode(parent) is not None:
                return full
        return full

    def missing(self, full: str) -> OSError:
        """Why there is no such file."""
        try:
            PLAIN.lstat(self.place(full))
        except OSError as error:
            return failure(error.errno or errno.ENOENT, full)
        return failure(errno.ENOENT, full)

    def _is_hidden(self, full: str) -> bool:
        """Whether the program has removed the path in the lower tree."""
        while self._removed and full != os.path.dirname(full):
            if full in self._removed:
                return True
            full = os.path.dirname(full)
        return False

    def mode(self, full: str) -> int | None:
        """The kind and permissions of a file, ``None`` if there is none."""
        return _mode(self.place(full))

    def is_folder(self, full: str) -> bool:
        """Whether there is a folder."""
        mode = self.mode(full)
        return mode is not None and stat.S_ISDIR(mode)

    def names(self, full: str) -> list[str]:
        """What is in a folder.

        Raises:
            OSError: there is none.
        """
        names = list(PLAIN.listdir(self.place(full)))
        above = self.above(full)
        if above != full and not self._is_hidden(full) and _is_folder(full):
            known = set(names)
            names += [name for name in PLAIN.listdir(full) if name not in known]
        return [name for name in names if self.mode(os.path.join(full, name)) is not None]

    def is_plain(self, full: str) -> bool:
        """Whether a folder is seen as it is in one of the trees."""
        above = self.above(full)
        return above == full or (not self._removed and _mode(above) is None)

    def prepare(self, full: str) -> str:
        """The place above for something new; folders on the way are made there if the program sees them.

        Raises:
            OSError: there are no such folders.
        """
        parent = os.path.dirname(full)
        mode = self.mode(parent)
        if mode is None or not stat.S_ISDIR(mode):
            raise self.missing(full) if mode is None else failure(errno.ENOTDIR, full)
        if not self.is_free(full):
            self._make_folders(parent)
        return self.above(full)

    def _make_folders(self, full: str) -> None:
        mirrored = self._mirrored(full)
        if _mode(mirrored) is not None:
            return
        if self.is_free(full) or full == os.path.dirname(full):
            Path(mirrored).mkdir(parents=True)
            return
        self._make_folders(os.path.dirname(full))
        mode = _mode(full)
        PLAIN.mkdir(mirrored, stat.S_IMODE(mode) if mode is not None else 0o777)

    def bring_up(self, full: str, *, contents: bool = True) -> str:
        """The path of an existing file in the upper tree; it is copied there if it was only below.

        Raises:
            OSError: there is no such thing.
        """
        mode = self.mode(full)
        if mode is None:
            raise self.missing(full)
        above = self.prepare(full)
        if _mode(above) is None:
            if stat.S_ISLNK(mode):
                PLAIN.symlink(PLAIN.readlink(full), above)
            elif stat.S_ISDIR(mode):
                PLAIN.mkdir(above, stat.S_IMODE(mode))
            elif stat.S_ISREG(mode):
                _copy(full, above, contents=contents)
            else:
                raise failure(errno.EACCES, full)
        return above

    def bring_up_all(self, full: str) -> str:
        """The same for a folder with all that is in it."""
        above = self.bring_up(full)
        if self.is_folder(full) and above != full:
            for name in self.names(full):
                self.bring_up_all(os.path.join(full, name))
        return above

    def for_writing(self, full: str, *, create: bool, exclusive: bool, contents: bool) -> str:
        """Where a file is opened for writing.

        Raises:
            OSError: it cannot be.
        """
        mode = self.mode(full)
        if mode is None:
            if not create:
                raise self.missing(full)
            return self.prepare(full)
        if exclusive and create:
            raise failure(errno.EEXIST, full)
        if stat.S_ISDIR(mode):
            raise failure(errno.EISDIR, full)
        return self.bring_up(full, contents=contents)

    def remove(self, full: str, take: Callable[[str], object]) -> None:
        """Remove a file: ``take`` removes it above, and a file below is hidden."""
        above = self.above(full)
        is_below = above != full and not self._is_hidden(full) and _mode(full) is not None
        if _mode(above) is not None:
            take(above)
        if is_below:
            self._removed.add(full)

    def hide(self, full: str) -> None:
        """Hide a file of the lower tree."""
        if not self.is_free(full) and not self._is_hidden(full) and _mode(full) is not None:
            self._removed.add(full)

    def note(self, descriptor: int, full: str) -> None:
        """Record that a file or folder was opened."""
        self._folders[descriptor] = full, _identity(descriptor)

    def folder_of(self, descriptor: int) -> str | None:
        """The full path of what a descriptor stands for, which is a folder if paths begin there."""
        known = self._folders.get(descriptor)
        if known is None:
            return None
        try:
            # The number may be that of another file by now.
            return known[0] if _identity(descriptor) == known[1] else None
        except OSError:
            return None


def _names(path: str) -> list[str]:
    """The parts of a path, the last one first."""
    return [name for name in reversed(path.replace("\\", os.sep).split(os.sep) if os.sep == "\\" else path.split(os.sep))
            if name not in ("", os.curdir)]  # fmt: skip


def _mode(path: str) -> int | None:
    try:
        return int(PLAIN.lstat(path).st_mode)
    except (OSError, ValueError):
        return None


def _is_folder(path: str) -> bool:
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def _identity(descriptor: int) -> tuple[int, int]:
    found = PLAIN.fstat(descriptor)
    return found.st_dev, found.st_ino


def _copy(source: str, target: str, *, contents: bool) -> None:
    """A regular file with its permissions and times, and what it holds if that is wanted."""
    known = PLAIN.stat(source)
    with _opened(target, "xb") as into:
        if contents:
            with _opened(source, "rb") as out_of:
                while chunk := out_of.read(_CHUNK):
                    into.write(chunk)
    PLAIN.chmod(target, stat.S_IMODE(known.st_mode))
    PLAIN.utime(target, ns=(known.st_atime_ns, known.st_mtime_ns))
