"""Which files of a package define a name at their top level under a decorator? Decided on their text: nothing is parsed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from dllint.source.observed import Question, Searched, asked
from dllint.source.regular import read_regular

#: The kind of these questions.
KIND: Final = "registered"
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
    found = [(Path(path), name) for path, name in _registered(str(directory)).get(key, ())]
    tell(directory, key, found)
    return found


def tell(directory: Path, key: str, found: Iterable[tuple[Path, str]]) -> None:
    """Note what was found, for whoever depends on it."""
    answer = json.dumps([(str(path), name) for path, name in found])
    asked(Question(KIND, (str(directory), key)), (Searched(directory, below=True),), answer)


def is_answer(given: Sequence[str], answer: str, changed: Collection[str]) -> bool:
    """Whether the answer to an earlier question still holds, as some files are not as they were.

    Raises:
        ValueError: that is no question.
    """
    directory, key = given
    before: list[list[str]] = json.loads(answer)
    files = list(_files(directory))
    if len(files) > _MOST_FILES:  # which of them are looked at may have changed
        return False
    return all(
        [name for path, name in before if path == file] == [name for found, name in _keys_of(file) if found == key]
        for file in changed
    )


def forget() -> None:
    """Search anew: files have changed."""
    _registered.cache_clear()


@lru_cache(maxsize=8)
def _registered(directory: str) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for path in islice(_files(directory), _MOST_FILES):
        for key, name in _keys_of(path):
            found.setdefault(key, []).append((path, name))
    return found


def _keys_of(path: str) -> Iterator[tuple[str, str]]:
    """The keys under which a file may register definitions, with the names of these."""
    for match in _DECORATED.finditer(_content(path)):
        name = match[2].decode()
        for key in {name, *(text.decode() for text in _TEXT.findall(match[1]))}:
            yield key, name


def _files(directory: str) -> Iterator[str]:
    for base, directories, names in os.walk(directory):
        directories.sort()
        yield from (os.path.join(base, name) for name in sorted(names) if name.endswith(".py"))


def _content(path: str) -> bytes:
    try:
        return read_regular(path, _MOST_BYTES)
    except OSError:
        return b""
