"""A directory that dllint has created, and that a checkout cannot imitate.

Its name may come from a hostile configuration, and its content may have been checked in: links to other places, or a prepared
database. dllint therefore writes only to a directory that it has created or found empty. A tag in the directory and the names
of its files contain a token that depends on a secret of the user (in the user's cache directory) and on the directory's path. A
directory that was checked in, copied or linked has no valid token and is neither read, written nor removed.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from dllint.source.regular import read_regular

TAG: Final = "CACHEDIR.TAG"
_IGNORE: Final = ".gitignore"
_IGNORE_ALL: Final = b"*\n"
#: What backup programs know a cache by.
_SIGNATURE: Final = "Signature: 8a477f597d28d172789f06886806bc55\n# This file marks a cache directory of dllint: "
_SECRET: Final = "secret"
_BYTES: Final = 32


class ForeignDirectoryError(Exception):
    """There is a directory that dllint has not made, or something that is no directory."""

    def __init__(self) -> None:
        super().__init__("it was not made by dllint on this machine")


@dataclass(frozen=True, slots=True)
class OwnDirectory:
    """A directory that dllint has made. ``token`` is what nobody else could know about it."""

    path: Path
    token: str

    @classmethod
    def open(cls, path: Path) -> OwnDirectory:
        """The directory at a path, made if there is none or an empty one.

        Raises:
            ForeignDirectoryError: there is something else.
            OSError: it cannot be made, or there is no place for a secret.
        """
        with suppress(FileExistsError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir()
        known = cls.known(path)
        if known is not None:
            return known
        if not stat.S_ISDIR(path.lstat().st_mode) or any(path.iterdir()):
            raise ForeignDirectoryError
        made = cls(path, _token(path, _secret(make=True)))
        _write_new(path / TAG, made._tag())
        _write_new(path / _IGNORE, _IGNORE_ALL)
        return made

    @classmethod
    def known(cls, path: Path) -> OwnDirectory | None:
        """The directory at a path if dllint has made it."""
        try:
            if not stat.S_ISDIR(path.lstat().st_mode):
                return None
            made = cls(path, _token(path, _secret(make=False)))
            return made if read_regular(path / TAG, len(made._tag()), follow=False) == made._tag() else None
        except OSError:
            return None

    def file(self, stem: str, suffix: str, besides: tuple[str, ...] = ()) -> Path:
        """The file of a purpose, and of others whose names begin with its own.

        Raises:
            OSError: something lies there that is no file, or has another name, too.
        """
        path = self.path / f"{stem}-{self.token}{suffix}"
        for each in (path, *(path.with_name(f"{path.name}{more}") for more in besides)):
            with suppress(FileNotFoundError):
                status = each.lstat()
                if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                    raise OSError(f"{each} is not a file of dllint")
        return path

    def remove(self) -> None:
        """Remove what dllint has written, and the directory if nothing else is in it. Raises OSError."""
        for path in self._written():
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.path.rmdir()

    def _written(self) -> Iterator[Path]:
        yield from (path for path in self.path.iterdir() if self.token in path.name)
        with suppress(OSError):
            if read_regular(self.path / _IGNORE, len(_IGNORE_ALL), follow=False) == _IGNORE_ALL:
                yield self.path / _IGNORE
        yield self.path / TAG

    def _tag(self) -> bytes:
        return f"{_SIGNATURE}{self.token}\n".encode()


def _token(path: Path, secret: bytes) -> str:
    """The token of this directory; a copy of it has another."""
    return blake2b(str(path.lstat().st_ino).encode(), key=secret, digest_size=16).hexdigest()


def _secret(*, make: bool) -> bytes:
    """The secret of this user on this machine; ``make``: one is made if there is none. Raises OSError."""
    path = _user_cache() / _SECRET
    try:
        return _read_secret(path)
    except FileNotFoundError:
        if not make:
            raise
    import secrets  # once per user

    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # another process was quicker
        _write_new(path, secrets.token_bytes(_BYTES), mode=0o600)
    return _read_secret(path)


def _user_cache() -> Path:
    """The folder of dllint in the user's cache directory. Raises OSError if the user has no home directory."""
    if sys.platform == "linux":  # as platformdirs has it, which takes longer to import than a small run does
        named = os.environ.get("XDG_CACHE_HOME", "").strip()
        return Path(named or os.path.expanduser("~/.cache")) / "dllint"
    from platformdirs import user_cache_path

    try:
        return user_cache_path("dllint")
    except RuntimeError as error:
        raise OSError(str(error)) from error


def _read_secret(path: Path) -> bytes:
    found = read_regular(path, _BYTES, follow=False)
    if len(found) != _BYTES:
        raise OSError(f"{path} is damaged")
    return found


def _write_new(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file that does not exist. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, mode), "wb") as stream:
        stream.write(content)
