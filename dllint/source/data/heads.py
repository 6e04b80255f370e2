"""What the beginning of a file tells: the shape of a numpy array, the columns of a table."""

from __future__ import annotations

import ast
import csv
import re
from typing import Final

from dllint.source.data.held import ArrayHead, is_shape

_MAGIC: Final = b"\x93NUMPY"
#: The most bytes of the header of an array, and characters of a line of a table.
_LONGEST_HEADER: Final = 4_096
_LONGEST_LINE: Final = 20_000
#: So much of a ``.npy`` file is its header at most.
HEADER_BYTES: Final = _LONGEST_HEADER + 12
#: An element type of one field, as numpy writes it: its order, kind and bytes.
_TYPE: Final = re.compile(r"[<>|=]?([biufc])(\d+)")
_KINDS: Final = {"i": "int", "u": "uint", "f": "float", "c": "complex"}


def array_head(head: bytes) -> ArrayHead | None:
    """What the beginning of a ``.npy`` file says; None if it is none."""
    if not head.startswith(_MAGIC) or len(head) < 12:
        return None
    size = 2 if head[6] == 1 else 4
    length = int.from_bytes(head[8 : 8 + size], "little")
    text = head[8 + size : 8 + size + length]
    if length > _LONGEST_HEADER or len(text) < length:
        return None
    try:
        found = ast.literal_eval(text.decode("latin-1").strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    shape, kind = (found.get("shape"), found.get("descr")) if isinstance(found, dict) else (None, None)
    if not isinstance(shape, tuple) or not is_shape(shape):
        return None
    return ArrayHead(shape, _name(kind) if isinstance(kind, str) else "")


def _name(kind: str) -> str:
    match = _TYPE.fullmatch(kind)
    if match is None:
        return ""
    return "bool" if match[1] == "b" else f"{_KINDS[match[1]]}{int(match[2]) * 8}" if match[1] in _KINDS else ""


def columns(head: bytes, separator: str = ",") -> tuple[str, ...] | None:
    """The names of the columns that the first line of a table says, as ``pandas.read_csv`` has them; None if they are not all
    written there, or the rows are of another length."""
    try:
        lines = head.decode("utf-8-sig", "ignore").splitlines()
        if len(lines) < 2 or max(map(len, lines[:2])) > _LONGEST_LINE:
            return None
        first, second = (next(csv.reader([line], delimiter=separator), []) for line in lines[:2])
    except (csv.Error, TypeError, ValueError):
        return None
    named = all(name and name.strip() for name in first)
    if not named or len(set(first)) < len(first) or len(second) != len(first) or any('"' in line for line in lines[:1]):
        return None
    return tuple(first)
