"""Which files of a package define a name at their top level under a decorator? Decided on their text: nothing is parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from dllint.source.observed import searched
from dllint.source.regular import read_regular

#: No more files than this are looked at, none of which is larger.
_MOST_FILES: Final = 1_000
_MOST_BYTES: Final = 2_000_000
#: A decorated definition: its decorators, up to the name.
_DECORATED: Final = re.compile(
    rb"^@([^\n]*(?:\n(?!def |class |async def )[^\n]*){0,20}?)\n(?:async )?(?:def|class) +(\w+)", re.MULTILINE
)
_TEXT: Final = re.compile(rb"""["']([\w./:-]{1,100})["']""")


def registering(directory: Path, key: str) -> list[tuple[Path, str]]:
    """The files in a directory and below it, with the definition in them that a decorator may register under a key: one of that
    name, or one whose decorator names the key."""
    searched(directory, below=True)
    return [(Path(path), name) for path, name in _registered(str(directory)).get(key, ())]


def forget() -> None:
    """Search anew: files have changed."""
    _registered.cache_clear()


@lru_cache(maxsize=8)
def _registered(directory: str) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for path in islice(_files(directory), _MOST_FILES):
        for match in _DECORATED.finditer(_content(path)):
            name = match[2].decode()
            for key in {name, *(text.decode() for text in _TEXT.findall(match[1]))}:
                found.setdefault(key, []).append((path, name))
    return found


def _files(directory: str) -> Iterator[str]:
    for base, directories, names in os.walk(directory):
        directories.sort()
        yield from (os.path.join(base, name) for name in sorted(names) if name.endswith(".py"))


def _content(path: str) -> bytes:
    try:
        return read_regular(path, _MOST_BYTES)
    except OSError:
        return b""
