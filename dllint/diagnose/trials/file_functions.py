"""Redirection of Python's file functions to an :class:`Overlay`.

All that the standard library has above them (``os.path``, ``os.walk``, ``pathlib``, ``shutil``, ``tempfile``, ``glob``) comes
through these.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType, TracebackType
from typing import Any, Concatenate, Final, ParamSpec

from dllint.diagnose.trials.overlay import PLAIN, FilePath, Overlay, failure

P = ParamSpec("P")

WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NAMELESS: Final = getattr(os, "O_TMPFILE", 0)
_NO_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)
#: Modules whose functions stay what they are.
_KEEPING: Final = ("os", "posix", "nt", "dllint.diagnose.trials.overlay")
#: Arguments of ``open`` between the mode and the opener.
_BEFORE_OPENER: Final = 5
_SUPPORTS: Final = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")
#: Functions that look at one file, and those that change what a file is like.
_LOOKING: Final = ("stat", "access", "listxattr", "getxattr", "pathconf", "statvfs")
_CHANGING: Final = ("chmod", "chown", "utime", "setxattr", "removexattr")


def lead(owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
    """Call ``wrapper(original, *args, **kwargs)`` in place of a function, where it exists."""
    original = getattr(owner, name, None)
    if original is None:
        return

    def led(*args: Any, **kwargs: Any) -> Any:
        return wrapper(original, *args, **kwargs)

    led.__name__ = name
    setattr(owner, name, led)
    # Libraries ask which functions take what.
    for able in (getattr(os, support) for support in _SUPPORTS):
        if original in able:
            able.add(led)


def _replace_known(replaced: dict[int, Any]) -> None:
    """Put functions where modules have taken the original ones already, by name or as what a parameter is by default."""
    for module in list(sys.modules.values()):
        # Few modules have one: whether all values are others is found without a step of the interpreter for each.
        if not isinstance(module, ModuleType) or replaced.keys().isdisjoint(map(id, list(vars(module).values()))):
            continue
        if vars(module).get("__name__") not in _KEEPING:
            known = {name: replaced[id(value)] for name, value in list(vars(module).items()) if id(value) in replaced}
            vars(module).update(known)
    methods = [method for kind in vars(tempfile).values() if isinstance(kind, type) for method in vars(kind).values()]
    for method in methods:
        if isinstance(method, FunctionType) and method.__defaults__:
            method.__defaults__ = tuple(replaced.get(id(value), value) for value in method.__defaults__)


def lead_functions(overlay: Overlay) -> None:
    """Redirect the file functions of this process to the overlay."""
    functions, before, opened = _Functions(overlay), dict(vars(os)), io.open
    builtins.open = io.open = lambda *args, **kwargs: functions.opened(opened, *args, **kwargs)
    for name in ("open", "lstat", "readlink", "listdir", "scandir", "mkdir", "rmdir", "link", "symlink", "truncate", "chdir"):
        lead(os, name, getattr(functions, name))
    for name in _LOOKING:
        lead(os, name, functions.look)
    for name in _CHANGING:
        lead(os, name, functions.change)
    for name in ("remove", "unlink"):
        lead(os, name, functions.unlink)
    for name in ("rename", "replace"):
        lead(os, name, functions.move)
    lead(os, "getcwd", lambda original: overlay.current)
    lead(os, "getcwdb", lambda original: os.fsencode(overlay.current))
    _replace_known({id(value): vars(os)[name] for name, value in before.items() if vars(os)[name] is not value})


class _Functions:
    """The replacement functions; their signatures are those of the originals."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay

    def opened(
        self,
        original: Callable[Concatenate[Any, Any, P], Any],
        file: FilePath,
        mode: str = "r",
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Any:
        if kwargs.get("opener") is not None or len(args) > _BEFORE_OPENER:
            with self._entrusted(file):
                return original(file, mode, *args, **kwargs)
        full = self._overlay.full(file, follow="x" not in str(mode))
        if full is None or not isinstance(mode, str):
            return original(file, mode, *args, **kwargs)
        with _errors_about(file):
            if set(mode) & set("wax+"):
                place = self._overlay.for_writing(
                    full, create=bool(set(mode) & set("wax")), exclusive="x" in mode, contents="w" not in mode
                )
                mode = mode.replace("x", "w") if place != full and "x" in mode else mode
            else:
                place = self._overlay.place(full)
            stream = original(place, mode, *args, **kwargs)
        _raw(stream).name = file
        return stream

    @contextmanager
    def _entrusted(self, file: FilePath) -> Iterator[None]:
        before, self._overlay.entrusted = self._overlay.entrusted, file
        try:
            yield
        finally:
            self._overlay.entrusted = before

    def open(
        self,
        original: Callable[..., Any],
        path: FilePath,
        flags: int,
        mode: int = 0o777,
        *,
        dir_fd: int | None = None,
    ) -> int:
        exclusive = bool(flags & os.O_EXCL and flags & os.O_CREAT)
        full = self._overlay.full(path, follow=not (flags & _NO_LINKS or exclusive), folder=dir_fd)
        if full is None:
            return int(original(path, flags, mode, dir_fd=dir_fd))
        with _errors_about(path):
            if _NAMELESS and flags & _NAMELESS == _NAMELESS:
                place = self._overlay.bring_up(full)
            elif flags & WRITING:
                place = self._overlay.for_writing(
                    full, create=bool(flags & os.O_CREAT), exclusive=exclusive, contents=not flags & os.O_TRUNC
                )
            else:
                place = self._overlay.place(full)
            descriptor = int(original(place, flags, mode))
        self._overlay.note(descriptor, full)
        return descriptor

    def look(
        self,
        original: Callable[..., Any],
        path: FilePath,
        *args: Any,
        dir_fd: int | None = None,
        **kwargs: Any,
    ) -> Any:
        full = self._overlay.full(path, follow=kwargs.get("follow_symlinks", True), folder=dir_fd)
        if full is None:
            return original(path, *args, **_with_folder(dir_fd), **kwargs)
        with _errors_about(path):
            return original(self._overlay.place(full), *args, **kwargs)

    def lstat(self, original: Callable[..., Any], path: FilePath, *, dir_fd: int | None = None) -> os.stat_result:
        found: os.stat_result = self.look(PLAIN.stat, path, dir_fd=dir_fd, follow_symlinks=False)
        return found

    def readlink(self, original: Callable[..., Any], path: FilePath, *, dir_fd: int | None = None) -> Any:
        full = self._overlay.full(path, follow=False, folder=dir_fd)
        if full is None:
            return original(path, dir_fd=dir_fd)
        with _errors_about(path):
            target = original(self._overlay.place(full))
        return os.fsencode(target) if isinstance(path, bytes) else target

    def listdir(self, original: Callable[..., Any], path: FilePath = ".") -> list[Any]:
        full = self._folder(path)
        if full is None:
            return list(original(path))
        with _errors_about(path):
            names = self._overlay.names(full)
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names

    def scandir(self, original: Callable[..., Any], path: FilePath = ".") -> Any:
        full = self._folder(path)
        if full is None or (self._overlay.is_plain(full) and self._overlay.place(full) == str(path)):
            return original(path)
        with _errors_about(path):
            names = self._overlay.names(full)
        given = "" if isinstance(path, int) else os.fspath(path)
        return _Scan(Entry(self._overlay, full, given, name) for name in names)

    def _folder(self, path: FilePath) -> str | None:
        if path is None:
            path = "."
        return self._overlay.folder_of(path) if isinstance(path, int) else self._overlay.full(path)

    def mkdir(
        self,
        original: Callable[..., Any],
        path: FilePath,
        mode: int = 0o777,
        *,
        dir_fd: int | None = None,
    ) -> None:
        full = self._overlay.full(path, follow=False, folder=dir_fd)
        if full is None:
            original(path, mode, dir_fd=dir_fd)
            return
        with _errors_about(path):
            if self._overlay.mode(full) is not None:
                raise failure(errno.EEXIST, path)
            original(self._overlay.prepare(full), mode)

    def unlink(self, original: Callable[..., Any], path: FilePath, *, dir_fd: int | None = None) -> None:
        full = self._overlay.full(path, follow=False, folder=dir_fd)
        if full is None:
            original(path, dir_fd=dir_fd)
            return
        with _errors_about(path):
            self._expect(full, is_folder=False)
            self._overlay.remove(full, original)

    def rmdir(self, original: Callable[..., Any], path: FilePath, *, dir_fd: int | None = None) -> None:
        full = self._overlay.full(path, follow=False, folder=dir_fd)
        if full is None:
            original(path, dir_fd=dir_fd)
            return
        with _errors_about(path):
            self._expect(full, is_folder=True)
            if self._overlay.names(full):
                raise failure(errno.ENOTEMPTY, path)
            self._overlay.remove(full, original)

    def _expect(self, full: str, *, is_folder: bool) -> int:
        mode = self._overlay.mode(full)
        if mode is None:
            raise self._overlay.missing(full)
        if stat.S_ISDIR(mode) != is_folder:
            raise failure(errno.ENOTDIR if is_folder else errno.EISDIR, full)
        return mode

    def move(
        self,
        original: Callable[..., Any],
        src: FilePath,
        dst: FilePath,
        *,
        src_dir_fd: int | None = None,
        dst_dir_fd: int | None = None,
    ) -> None:
        overlay = self._overlay
        source = overlay.full(src, follow=False, folder=src_dir_fd)
        target = overlay.full(dst, follow=False, folder=dst_dir_fd)
        if source is None or target is None:
            original(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
            return
        with _errors_about(src, dst):
            # The system looks at both folders before it looks at the files.
            if not overlay.is_folder(os.path.dirname(source)):
                raise overlay.missing(source)
            place, mode = overlay.prepare(target), overlay.mode(source)
            if mode is None:
                raise overlay.missing(source)
            if source == target:
                return
            if (target + os.sep).startswith(source + os.sep):
                raise failure(errno.EINVAL, source)
            if source.startswith(target + os.sep):
                raise failure(errno.ENOTEMPTY, source)
            if overlay.mode(target) is not None:
                self._expect(target, is_folder=stat.S_ISDIR(mode))
                if stat.S_ISDIR(mode) and overlay.names(target):
                    raise failure(errno.ENOTEMPTY, source)
            original(overlay.bring_up_all(source), place)
            overlay.hide(source)
            overlay.hide(target)

    def link(
        self,
        original: Callable[..., Any],
        src: FilePath,
        dst: FilePath,
        **kwargs: Any,
    ) -> None:
        overlay = self._overlay
        # The system does not follow links here, whatever is asked for.
        source = overlay.full(src, follow=False, folder=kwargs.get("src_dir_fd"))
        target = overlay.full(dst, follow=False, folder=kwargs.get("dst_dir_fd"))
        if source is None or target is None:
            original(src, dst, **kwargs)
            return
        with _errors_about(src, dst):
            mode = overlay.mode(source)
            if mode is None:
                raise overlay.missing(source)
            if overlay.mode(target) is not None:
                raise failure(errno.EEXIST, src)
            place = overlay.prepare(target)
            if stat.S_ISDIR(mode):
                raise failure(errno.EPERM, src)
            original(overlay.bring_up(source), place)

    def symlink(
        self,
        original: Callable[..., Any],
        src: FilePath,
        dst: FilePath,
        target_is_directory: bool = False,
        *,
        dir_fd: int | None = None,
    ) -> None:
        full = self._overlay.full(dst, follow=False, folder=dir_fd)
        if full is None:
            original(src, dst, target_is_directory, dir_fd=dir_fd)
            return
        with _errors_about(src, dst):
            if self._overlay.mode(full) is not None:
                raise failure(errno.EEXIST, src)
            original(src, self._overlay.prepare(full), target_is_directory)

    def change(
        self,
        original: Callable[..., Any],
        path: FilePath,
        *args: Any,
        dir_fd: int | None = None,
        **kwargs: Any,
    ) -> Any:
        full = self._overlay.full(path, follow=kwargs.get("follow_symlinks", True), folder=dir_fd)
        if full is None:
            return original(path, *args, **_with_folder(dir_fd), **kwargs)
        with _errors_about(path):
            return original(self._overlay.bring_up(full), *args, **kwargs)

    def truncate(self, original: Callable[..., Any], path: FilePath, length: int) -> None:
        self.change(original, path, length)

    def chdir(self, original: Callable[..., Any], path: FilePath) -> None:
        full = self._folder(path)
        if full is None:
            original(path)
            return
        with _errors_about(path):
            original(self._overlay.place(full))
        self._overlay.move_to(full)


class Entry:
    """What ``os.scandir`` gives for a file."""

    def __init__(self, overlay: Overlay, folder: str, given: Any, name: str) -> None:
        self._overlay = overlay
        self._full = os.path.join(folder, name)
        self.name: Any = os.fsencode(name) if isinstance(given, bytes) else name
        self.path: Any = os.path.join(given, self.name) if given else self.name

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """As ``os.stat``."""
        full = self._overlay.full(self._full, follow=follow_symlinks)
        with _errors_about(self.path):
            found: os.stat_result = PLAIN.stat(self._overlay.place(full or self._full), follow_symlinks=follow_symlinks)
        return found

    def inode(self) -> int:
        """The number of the file."""
        return self.stat(follow_symlinks=False).st_ino

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a folder."""
        return self._is(stat.S_ISDIR, follow_symlinks)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a regular file."""
        return self._is(stat.S_ISREG, follow_symlinks)

    def is_symlink(self) -> bool:
        """Whether it is a link."""
        return self._is(stat.S_ISLNK, False)

    def is_junction(self) -> bool:
        """Windows knows these."""
        return False

    def _is(self, kind: Callable[[int], bool], follow: bool) -> bool:
        try:
            return kind(self.stat(follow_symlinks=follow).st_mode)
        except FileNotFoundError:
            return False

    def __fspath__(self) -> Any:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"


class _Scan:
    """The iterator that ``os.scandir`` gives."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries

    def __iter__(self) -> _Scan:
        return self

    def __next__(self) -> Entry:
        return next(self._entries)

    def __enter__(self) -> _Scan:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """There are no more."""
        self._entries = iter(())


@contextmanager
def _errors_about(*given: Any) -> Iterator[None]:
    """Errors are about the paths that the program has given."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            error.filename = given[0]
        if len(given) > 1:
            error.filename2 = given[1]
        raise


def _raw(stream: Any) -> Any:
    """The file below the buffers of a file object."""
    stream = getattr(stream, "buffer", stream)
    return getattr(stream, "raw", stream)


def _with_folder(dir_fd: int | None) -> dict[str, int]:
    return {} if dir_fd is None else {"dir_fd": dir_fd}
