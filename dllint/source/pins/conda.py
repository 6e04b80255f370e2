"""Environments of conda: the list under ``dependencies``, with pip's requirements in it. Read line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dllint.source.pins.pin import Pin, pin_of_requirement, specifier_of
from dllint.source.pins.reading import names_in, read_text

_NAMED: Final = re.compile(r"(?:.*[-_.])?(?:environment|env|conda)(?:[-_.].*)?\.ya?ml", re.IGNORECASE)
_KEY: Final = re.compile(r"(\w[\w-]*)\s*:")
_ITEM: Final = re.compile(r"(\s*)-\s+(.*)")
_SPECIFIED: Final = re.compile(r"(?:[\w-]+::)?([A-Za-z0-9][\w.-]*)\s*(.*)")
_MOST_LINES: Final = 3_000
_MOST_FILES: Final = 10


def in_directory(directory: Path) -> Iterator[Pin]:
    """The pins of the conda environments described in a directory."""
    for name in [name for name in names_in(directory) if _NAMED.fullmatch(name)][:_MOST_FILES]:
        yield from of_file(directory / name)


def of_file(path: Path) -> Iterator[Pin]:
    """The pins of one description."""
    inside, pip_column = False, -1
    for number, line in enumerate(read_text(path).splitlines()[:_MOST_LINES], 1):
        line = re.sub(r"(?:^|\s)#.*", "", line).rstrip()
        item = _ITEM.fullmatch(line)
        if item is None:
            inside = line.startswith("dependencies:") if _KEY.match(line) else inside
            continue
        if not inside:
            continue
        column, entry = len(item[1]), item[2].strip().strip("\"'")
        if entry.startswith("pip:"):
            pip_column = column
        elif pip_column >= 0 and column > pip_column:
            if (pin := pin_of_requirement(entry, path, number)) is not None:
                yield pin
        else:
            pip_column = -1
            yield from _conda(entry, path, number)


def _conda(entry: str, path: Path, number: int) -> Iterator[Pin]:
    """``numpy=1.19.2``, ``pytorch==1.7.0=py3.8_cuda``, ``python>=3.8``, ``pytorch::pytorch``."""
    found = _SPECIFIED.fullmatch(entry)
    if found is None:
        return
    version = re.sub(r"^(=?=?\s*[\w.*]+)=\S*$", r"\1", found[2].strip())
    specifier = specifier_of(version)
    if specifier is not None:
        yield Pin(found[1].lower(), specifier, path, number)
