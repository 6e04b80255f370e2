"""TensorBoard's event files: records of TFRecord form that hold ``Event`` messages in the encoding of protocol buffers.

A record is its length (8 bytes, little endian), a masked CRC-32C of that, the message, and a masked CRC-32C of the message. Of
``Event`` the fields wall_time (1), step (2), file_version (3) and summary (5) are used, of ``Summary`` value (1), of its
``Value`` tag (1) and simple_value (2).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import IO, Final

_POLYNOMIAL: Final = 0x82F63B78
_MASK: Final = 0xA282EAD8
_ALL: Final = 0xFFFFFFFF
#: Kinds of fields: whole numbers, 64 bits, byte strings, 32 bits.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value under a name, at a step and a time (seconds since 1970)."""

    tag: str
    step: int
    time: float
    value: float


def write_events(stream: IO[bytes], scalars: Iterable[Scalar], time: float) -> None:
    """A whole event file that begins at ``time``; scalars of one step and time that follow each other share a message."""
    stream.write(_record(_double(1, time) + _bytes(3, b"brain.Event:2")))
    for step, at, values in _together(scalars):
        summary = b"".join(_bytes(1, _bytes(1, tag.encode()) + _float(2, value)) for tag, value in values)
        stream.write(_record(_double(1, at) + _whole(2, step) + _bytes(5, summary)))


def _together(scalars: Iterable[Scalar]) -> Iterator[tuple[int, float, list[tuple[str, float]]]]:
    values: list[tuple[str, float]] = []
    last: Scalar | None = None
    for scalar in scalars:
        if last is not None and (scalar.step, scalar.time) != (last.step, last.time):
            yield last.step, last.time, values
            values = []
        values.append((scalar.tag, scalar.value))
        last = scalar
    if last is not None:
        yield last.step, last.time, values


def _record(message: bytes) -> bytes:
    length = struct.pack("<Q", len(message))
    return b"".join((length, _masked(length), message, _masked(message)))


def _masked(data: bytes) -> bytes:
    crc = _crc32c(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + _MASK) & _ALL)


def _crc32c(data: bytes) -> int:
    crc, table = _ALL, _table()
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ _ALL


@cache
def _table() -> tuple[int, ...]:
    """The remainders of all bytes by Castagnoli's polynomial."""
    table = []
    for remainder in range(256):
        for _ in range(8):
            remainder = (remainder >> 1) ^ (_POLYNOMIAL if remainder & 1 else 0)
        table.append(remainder)
    return tuple(table)


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _whole(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + _varint(value)


def _double(field: int, value: float) -> bytes:
    return _key(field, _FIXED64) + struct.pack("<d", value)


def _float(field: int, value: float) -> bytes:
    try:
        return _key(field, _FIXED32) + struct.pack("<f", value)
    except OverflowError:  # larger than single precision can be
        return _float(field, float("inf") if value > 0 else float("-inf"))


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(value)) + value
