"""Files that another file is generated from: what runs is the generated file, and only that one means what it says."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import chain
from pathlib import Path

from dllint.source.regular import read_head

#: The head of a file, where a generator leaves its note.
_HEAD = 2_000
_NOTE = re.compile(rb"\bgenerated[ \t]+from[ \t]+([\w./\\-]+\.py)\b")


def is_template(path: Path) -> bool:
    """Whether a file beside this one says at its head that it was generated from it.

    Such a file is spliced into others (a ``super().forward()`` in it stands for the text of that method), so what it would
    do by itself is no evidence."""
    try:
        return path.name in _templates(path.parent, os.stat(path.parent).st_mtime_ns)
    except OSError:
        return False


@lru_cache(maxsize=8)
def _templates(directory: Path, _changed: int) -> frozenset[str]:
    """The names in a directory of which another file there was generated."""
    sources = chain.from_iterable(_sources(path) for path in directory.glob("*.py"))
    return frozenset(source.rpartition("/")[2] for source in sources)


def _sources(path: Path) -> list[str]:
    try:
        head = read_head(path, _HEAD)
    except OSError:
        return []
    names = (match[1].decode(errors="replace").replace("\\", "/") for match in _NOTE.finditer(head))
    return [name for name in names if name.rpartition("/")[2] != path.name]
