"""Shapes and element types as HDF5 writes them: messages "dataspace" and "datatype".

Format: HDF5 File Format Specification, version 3.0, IV.A.2.b and IV.A.2.d.
"""

from __future__ import annotations

from typing import Final

from dllint.source.data.plain import UnreadableError

_MOST_AXES: Final = 32
_NULL: Final = 2
#: Classes of element types: whole numbers, real numbers, texts, enumerations, sequences.
_WHOLE: Final = 0
_REAL: Final = 1
TEXT: Final = 3
_ENUMERATION: Final = 8
SEQUENCE: Final = 9
_REAL_SIZES: Final = {2: "float16", 4: "float32", 8: "float64"}


def shape(message: bytes, length_size: int) -> tuple[int, ...] | None:
    """The sizes that a dataspace tells; None if it has no elements at all."""
    if len(message) < 4 or message[0] not in (1, 2):
        raise UnreadableError("another dataspace")
    rank = message[1]
    start = 8 if message[0] == 1 else 4
    if message[0] == 2 and message[3] == _NULL:
        return None
    end = start + rank * length_size
    if rank > _MOST_AXES or len(message) < end:
        raise UnreadableError("a damaged dataspace")
    return tuple(int.from_bytes(message[i : i + length_size], "little") for i in range(start, end, length_size))


def type_class(message: bytes) -> int:
    """The class of an element type."""
    return message[0] & 0x0F if message else -1


def type_size(message: bytes) -> int:
    """The bytes of an element."""
    return int.from_bytes(message[4:8], "little")


def dtype(message: bytes) -> str:
    """The name that numpy has for a type of numbers; empty for any other."""
    if len(message) < 8:
        raise UnreadableError("a damaged datatype")
    kind, size = type_class(message), type_size(message)
    if kind == _WHOLE and size in (1, 2, 4, 8):
        return f"{'int' if message[1] & 0x08 else 'uint'}{size * 8}"
    if kind == _REAL:
        return _REAL_SIZES.get(size, "")
    is_bool = kind == _ENUMERATION and size == 1 and b"FALSE" in message and b"TRUE" in message
    return "bool" if is_bool else ""
