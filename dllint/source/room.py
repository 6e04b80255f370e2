"""The memory available for the tree of a text. The parser ends the process where a request of its is refused, so a text
whose tree does not fit is refused before."""

from __future__ import annotations

import os
import re
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Final

#: Bytes that the tree takes for each token, in programs made to take many.
_TOKEN_BYTES: Final = 3200
#: What the parser needs beside the tree: its stack, and the tree of the interpreter.
_OVERHEAD: Final = 640 * 2**20
#: What a tree may take where nothing limits the process.
_UNLIMITED: Final = 2560 * 2**20
_STATUS: Final = Path("/proc/self/statm")
_TOKEN: Final = re.compile(r"""\#[^\r\n]*+|"(?:[^"\\\r\n]|\\.)*+"|'(?:[^'\\\r\n]|\\.)*+'|[\w.]++|[\r\n]\s*+|[^\s\w]""")


#: Seconds for which what was left is relied on, less what the trees of all texts since then may take.
_RELIED_ON: Final = 0.02
_CHECKED: Final = {"at": -1.0, "left": 0.0}


def has_room_for(text: str) -> bool:
    """Whether the tree of a text fits into the memory that this process may still take."""
    now, taken = monotonic(), len(text) * _TOKEN_BYTES
    if now - _CHECKED["at"] < _RELIED_ON and taken <= _CHECKED["left"]:
        _CHECKED["left"] -= taken
        return True
    room = _room()
    _CHECKED.update(at=now, left=room - taken)
    most = room // _TOKEN_BYTES
    return len(text) <= most or next(islice(_TOKEN.finditer(text), most, None), None) is None


def _room() -> int:
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
    except (ImportError, OSError):
        return _UNLIMITED
    if most == resource.RLIM_INFINITY:
        return _UNLIMITED
    return max(most - in_use()[0] - _OVERHEAD, 0)


def in_use() -> tuple[int, int]:
    """The bytes of address space and of memory that this process has; 0 where the system does not say."""
    try:
        pages = _STATUS.read_bytes().split()
        size = os.sysconf("SC_PAGE_SIZE")
        return int(pages[0]) * size, int(pages[1]) * size
    except (OSError, IndexError, ValueError):
        return 0, 0
