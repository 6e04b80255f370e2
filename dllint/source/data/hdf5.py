"""HDF5 files: groups and data sets by name, with shapes and element types. No element is read.

Format: HDF5 File Format Specification, version 3.0. Read are the old form of groups (symbol tables), the new one with its links
in the header, and attributes in the header. A group whose links lie elsewhere (a fractal heap) is read as one of unknown
members, and so is a link to another place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from dllint.source.data import hdf5_types
from dllint.source.data.held import ArrayHead, Held, bounded
from dllint.source.data.plain import DEEPEST, MOST_VALUES, Opaque, UnreadableError
from dllint.source.data.window import Window

_SIGNATURE: Final = b"\x89HDF\r\n\x1a\n"
#: Where a file may begin, behind a block of the user's own.
_STARTS: Final = (0, 512, 1024, 2048)
#: Messages of an object header.
_SPACE, _LINK_INFO, _TYPE, _LINK, _ATTRIBUTE, _CONTINUED, _TABLE = 0x01, 0x02, 0x03, 0x06, 0x0C, 0x10, 0x11
_SHARED: Final = 0x02
_MOST_BLOCKS: Final = 256
_LARGEST_BLOCK: Final = 2**20


class Message(NamedTuple):
    """A message of an object header."""

    kind: int
    flags: int
    data: bytes


def hdf5(file: Window) -> Held:
    """The groups and data sets of a file: dicts and arrays by name. Raises UnreadableError."""
    reader = Reader(file)
    found = reader.object(reader.root, 0)
    if not isinstance(found, dict):
        raise UnreadableError("no group of known members")
    return bounded(found)


class Reader:
    """Reads structures at places of a file. Raises UnreadableError for what is damaged, circular or too large."""

    def __init__(self, file: Window) -> None:
        self._file = file
        self._left = MOST_VALUES
        self.base, self.root = 0, 0
        self.place_size = self.length_size = 8
        for start in _STARTS:
            if file.size >= start + 48 and file.at(start, 8) == _SIGNATURE:
                self._begin(start)
                return
        raise UnreadableError("no HDF5 file")

    def _begin(self, start: int) -> None:
        head = self._file.at(start, min(128, self._file.size - start))
        version = head[8]
        self.place_size, self.length_size = (head[13], head[14]) if version < 2 else (head[9], head[10])
        if version > 3 or self.place_size not in (4, 8) or self.length_size not in (4, 8):
            raise UnreadableError("another version")
        size = self.place_size
        first = 12 if version >= 2 else 24 + 4 * version
        self.base = int.from_bytes(head[first : first + size], "little")
        root = first + 3 * size if version >= 2 else first + 5 * size
        self.root = int.from_bytes(head[root : root + size], "little")

    def at(self, place: int, size: int) -> bytes:
        """Bytes at a place that the file names."""
        if size > _LARGEST_BLOCK:
            raise UnreadableError("too large")
        self._left -= 1
        if self._left < 0:
            raise UnreadableError("too many structures")
        return self._file.at(self.base + place, size)

    def place(self, data: bytes, start: int) -> int:
        """The place in some bytes."""
        return _number(data, start, self.place_size)

    def length(self, data: bytes, start: int) -> int:
        """The length in some bytes."""
        return _number(data, start, self.length_size)

    def object(self, place: int, depth: int) -> Held:
        """What the object whose header lies at a place is: a group as a dict, a data set as an array."""
        if depth > DEEPEST:
            raise UnreadableError("too deep")
        messages = list(self.messages(place))
        kinds = {message.kind: message for message in messages}
        if _SPACE in kinds and _TYPE in kinds:
            sizes = hdf5_types.shape(kinds[_SPACE].data, self.length_size)
            known = not kinds[_TYPE].flags & _SHARED
            return Opaque("empty") if sizes is None else ArrayHead(sizes, hdf5_types.dtype(kinds[_TYPE].data) if known else "")
        if any(map(self._is_elsewhere, messages)):
            return Opaque("group")
        group: dict[Held, Held] = {}
        for name, target in self._links(messages):
            group[name] = Opaque("link") if target is None else self.object(target, depth + 1)
        return group

    def messages(self, place: int) -> Iterator[Message]:
        """The messages of an object header, also those of the blocks that continue it."""
        new = self.at(place, 4) == b"OHDR"
        blocks = [self._new_header(place) if new else self._old_header(place)]
        for block in blocks:
            if len(blocks) > _MOST_BLOCKS:
                raise UnreadableError("too many blocks")
            for message in _new_messages(*block) if new else _old_messages(block[0]):
                if message.kind == _CONTINUED:
                    data = self.at(self.place(message.data, 0), self.length(message.data, self.place_size))
                    blocks.append((data[4:-4] if new else data, block[1]))
                else:
                    yield message

    def _old_header(self, place: int) -> tuple[bytes, bool]:
        head = self.at(place, 16)
        if head[0] != 1:
            raise UnreadableError("no header")
        return self.at(place + 16, _number(head, 8, 4)), False

    def _new_header(self, place: int) -> tuple[bytes, bool]:
        flags = self.at(place, 6)[5]
        start = 6 + 16 * bool(flags & 0x20) + 4 * bool(flags & 0x10)
        width = 1 << (flags & 3)
        return self.at(place + start + width, _number(self.at(place + start, width), 0, width)), bool(flags & 4)

    def _links(self, messages: list[Message]) -> Iterator[tuple[str, int | None]]:
        """The names in a group, with the places of their objects; None for a link that leads elsewhere."""
        for message in messages:
            if message.kind == _TABLE:
                heap = self._heap(self.place(message.data, self.place_size))
                yield from self._tree(self.place(message.data, 0), heap, 0)
            elif message.kind == _LINK:
                yield self._link(message.data)

    def _is_elsewhere(self, message: Message) -> bool:
        """Whether a message says that the links of a group are in a fractal heap."""
        if message.kind != _LINK_INFO:
            return False
        heap = self.place(message.data, 2 + 8 * (_number(message.data, 1, 1) & 1))
        return heap != (1 << 8 * self.place_size) - 1

    def _link(self, data: bytes) -> tuple[str, int | None]:
        flags = _number(data, 1, 1)
        kind = _number(data, 2, 1) if flags & 8 else 0
        start = 2 + bool(flags & 8) + 8 * bool(flags & 4) + bool(flags & 0x10)
        width = 1 << (flags & 3)
        end = start + width + _number(data, start, width)
        name = data[start + width : end].decode("utf-8", "replace")
        return name, self.place(data, end) if kind == 0 else None

    def _heap(self, place: int) -> bytes:
        """The names of a group, one after the other."""
        head = self.at(place, 8 + 2 * self.length_size + self.place_size)
        if head[:4] != b"HEAP":
            raise UnreadableError("no heap")
        return self.at(self.place(head, 8 + 2 * self.length_size), self.length(head, 8))

    def _tree(self, place: int, heap: bytes, depth: int) -> Iterator[tuple[str, int | None]]:
        head = self.at(place, 8)
        if depth > DEEPEST:
            raise UnreadableError("too deep")
        if head[:4] == b"SNOD":
            yield from self._symbols(place, _number(head, 6, 2), heap)
            return
        if head[:4] != b"TREE" or head[4] != 0:
            raise UnreadableError("no tree of a group")
        count, step = _number(head, 6, 2), self.length_size + self.place_size
        children = self.at(place + 8 + 2 * self.place_size + self.length_size, count * step) if count else b""
        for start in range(0, count * step, step):
            yield from self._tree(self.place(children, start), heap, depth + 1)

    def _symbols(self, place: int, count: int, heap: bytes) -> Iterator[tuple[str, int | None]]:
        step = 2 * self.place_size + 24
        entries = self.at(place + 8, count * step)
        for start in range(0, count * step, step):
            name = heap[self.place(entries, start) :].partition(b"\0")[0].decode("utf-8", "replace")
            is_soft = _number(entries, start + 2 * self.place_size, 4) == 2
            yield name, None if is_soft else self.place(entries, start + self.place_size)


def _old_messages(block: bytes) -> Iterator[Message]:
    start = 0
    while start + 8 <= len(block):
        size = _number(block, start + 2, 2)
        yield _message(block, _number(block, start, 2), block[start + 4], start + 8, size)
        start += 8 + size


def _new_messages(block: bytes, ordered: bool) -> Iterator[Message]:
    start, head = 0, 6 if ordered else 4
    while start + head <= len(block):
        size = _number(block, start + 1, 2)
        yield _message(block, block[start], block[start + 3], start + head, size)
        start += head + size


def _message(block: bytes, kind: int, flags: int, start: int, size: int) -> Message:
    if start + size > len(block):
        raise UnreadableError("a damaged header")
    return Message(kind, flags, block[start : start + size])


def _number(data: bytes, start: int, size: int) -> int:
    if len(data) < start + size:
        raise UnreadableError("cut off")
    return int.from_bytes(data[start : start + size], "little")


def attribute(file: Window, name: str) -> str | None:
    """The text of an attribute of the root; None if there is none of that name. Raises UnreadableError."""
    reader = Reader(file)
    for message in reader.messages(reader.root):
        if message.kind == _ATTRIBUTE and (found := _text(reader, message.data, name)) is not None:
            return found
    return None


def _text(reader: Reader, data: bytes, wanted: str) -> str | None:
    version, name, kind, space = _number(data, 0, 1), *(_number(data, at, 2) for at in (2, 4, 6))
    start = 9 if version == 3 else 8
    ends = []
    for size in (name, kind, space):
        ends.append(start + size)
        start += size if version > 1 else (size + 7) // 8 * 8
    if data[ends[0] - name : ends[0]].rstrip(b"\0") != wanted.encode() or version not in (1, 2, 3):
        return None
    type_ = data[ends[1] - kind : ends[1]]
    content = data[start:]
    if hdf5_types.type_class(type_) == hdf5_types.SEQUENCE:
        content = _global(reader, reader.place(content, 4), _number(content, 4 + reader.place_size, 4))
    elif hdf5_types.type_class(type_) != hdf5_types.TEXT:
        return None
    return content.rstrip(b"\0").decode("utf-8", "replace")


def _global(reader: Reader, place: int, wanted: int) -> bytes:
    """An object of a global heap."""
    head = reader.at(place, 8 + reader.length_size)
    if head[:4] != b"GCOL":
        raise UnreadableError("no heap")
    start, end = place + len(head), place + reader.length(head, 8)
    while start + 8 + reader.length_size <= end:
        entry = reader.at(start, 8 + reader.length_size)
        size = reader.length(entry, 8)
        if _number(entry, 0, 2) == wanted:
            return reader.at(start + len(entry), size)
        start += len(entry) + (size + 7) // 8 * 8
    raise UnreadableError("no such text")
