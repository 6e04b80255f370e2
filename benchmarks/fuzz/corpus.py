"""Public files to begin with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

_TENSOR_CODE: Final = re.compile(rb"^\s*(?:from|import)\s+(?:torch|tensorflow|keras|numpy)", re.MULTILINE)
#: A file to make mutants of is at most so large: what a large file costs is measured by itself.
_LARGEST_TO_MUTATE: Final = 12_000


def public_files(peers: Path, suffix: str = ".py") -> list[Path]:
    """The files of all checkouts in a folder, in order."""
    return sorted(path for path in peers.rglob(f"*{suffix}") if path.is_file() and not path.is_symlink())


def tensor_code(peers: Path, random: Random) -> Iterator[Path]:
    """Files of tensor code that are not large, in random order, without end."""
    files = public_files(peers)
    usable: list[Path] = []
    random.shuffle(files)
    for path in files:
        data = path.read_bytes()
        if len(data) <= _LARGEST_TO_MUTATE and _TENSOR_CODE.search(data):
            usable.append(path)
            yield path
    while usable:
        yield from usable
