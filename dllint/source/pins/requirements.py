"""Requirements files and constraints, in the form that pip reads; and ``pip install`` lines elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dllint.source.pins.pin import Pin, pin_of_requirement
from dllint.source.pins.reading import names_in, read_text

_NAMED: Final = re.compile(r"(?:.*[-_.])?(?:requirements?|constraints?)(?:[-_.].*)?\.(?:txt|in|pip)", re.IGNORECASE)
#: Words in names of files that list what is needed for something else than running the code.
_ASIDE: Final = re.compile(r"(?:^|[-_.])(?:docs?|tests?|testing|dev|lint|build|ci)(?:[-_.]|$)", re.IGNORECASE)
_INCLUDE: Final = re.compile(r"(?:-r|--requirement|-c|--constraint)[ =]\s*(\S+)")
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_OPTIONS: Final = re.compile(r"\s--?[a-z][\w-]*(?:[ =]\S+)?")
_INSTALL: Final = re.compile(r"\bpip3?\s+install\s+(.+)")
_MOST_LINES: Final = 5_000
_MOST_FILES: Final = 40
#: Files that are read for one directory, those that others include among them.
_MOST_READ: Final = 200


def in_directory(directory: Path) -> Iterator[Pin]:
    """The pins of the requirements files in a directory and in its folder ``requirements``. Each file is read once."""
    seen: set[Path] = set()
    for folder in (directory, directory / "requirements"):
        names = [name for name in names_in(folder) if _NAMED.fullmatch(name) or (folder != directory and name.endswith(".txt"))]
        for name in [name for name in names if not _ASIDE.search(name)][:_MOST_FILES]:
            yield from _of_file(folder / name, directory, seen)


def _of_file(path: Path, root: Path, seen: set[Path]) -> Iterator[Pin]:
    """The pins of a requirements file and of those that it includes, which lie below ``root`` and were not ``seen``."""
    if path in seen or len(seen) >= _MOST_READ or not path.is_relative_to(root):
        return
    seen.add(path)
    for number, line in _lines(read_text(path)):
        include = _INCLUDE.match(line)
        if include is not None:
            yield from _of_file(_below(path.parent, include[1]), root, seen)
        elif not line.startswith("-") and (pin := pin_of_requirement(_OPTIONS.sub("", line).strip(), path, number)):
            yield pin


def _below(directory: Path, name: str) -> Path:
    """A path without ``..`` and without asking the file system."""
    parts: list[str] = list(directory.parts)
    for part in Path(name).parts:
        if part == "..":
            parts = parts[:-1] or parts
        else:
            parts.append(part)
    return Path(*parts)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The logical lines without comments, with the number of their first line."""
    started, held = 0, ""
    for number, line in enumerate(text.splitlines()[:_MOST_LINES], 1):
        line = _COMMENT.sub("", line).strip()
        started = started if held else number
        if line.endswith("\\"):
            held += line[:-1] + " "
            continue
        if held + line:
            yield started, (held + line).strip()
        held = ""


def of_install_line(line: str, path: Path, number: int) -> Iterator[Pin]:
    """The pins of a shell line that has pip install something."""
    found = _INSTALL.search(line)
    if found is None:
        return
    for word in re.split(r"[\s\"']+", found[1].partition("#")[0].partition("&&")[0]):
        if word[:1].isalpha() and (pin := pin_of_requirement(word, path, number)):
            yield pin
