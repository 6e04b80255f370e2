"""Zip archives of arrays: ``.npz`` of numpy, and the members that files of torch and Keras have."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from dllint.source.data.heads import HEADER_BYTES, array_head
from dllint.source.data.held import Held
from dllint.source.data.plain import Opaque, UnreadableError
from dllint.source.data.window import Window

#: The most members of an archive.
_MOST_MEMBERS: Final = 4_096
_DAMAGED: Final = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError)
_ENDING: Final = ".npy"


@contextmanager
def _archive(file: Window) -> Iterator[ZipFile]:
    try:
        with ZipFile(file) as archive:
            if len(archive.filelist) > _MOST_MEMBERS:
                raise UnreadableError("too many members")
            yield archive
    except _DAMAGED as error:
        raise UnreadableError("a damaged archive") from error


def _start(archive: ZipFile, member: ZipInfo, most: int) -> bytes:
    """The first bytes of a member, however large it says that it is. Only what unpacks piece by piece is unpacked."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise UnreadableError("another compression")
    with archive.open(member) as opened:
        return opened.read(most)


def npz(file: Window) -> Held:
    """The arrays of a ``.npz`` archive by name. Raises UnreadableError."""
    found: dict[Held, Held] = {}
    with _archive(file) as archive:
        for member in archive.filelist:
            head = array_head(_start(archive, member, HEADER_BYTES)) if member.filename.endswith(_ENDING) else None
            found[member.filename.removesuffix(_ENDING)] = head if head is not None else Opaque("member")
    return found


def content(file: Window, ending: str, limit: int) -> bytes:
    """The only member whose path ends with a name. Raises UnreadableError if there is none, there are several, or it has more
    bytes than the limit."""
    with _archive(file) as archive:
        found = [member for member in archive.filelist if f"/{member.filename}".endswith(f"/{ending}")]
        data = _start(archive, found[0], limit + 1) if len(found) == 1 else b""
    if not data or len(data) > limit:
        raise UnreadableError(f"no {ending} of that size")
    return data
