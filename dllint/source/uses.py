"""Do other files of a project use an attribute of a class? Decided on their text: nothing is parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from dllint.source.observed import searched

#: No more files than this are looked at.
_MOST_FILES = 8_000
_NOT_ASSIGNED = rb"\b(?!\s*(?::[^=\n]*)?=[^=])"


def used_elsewhere(path: Path, text: str, owner: str, attribute: str) -> bool:
    """Whether another file reads ``.attribute`` of the class ``owner``, which the file ``path`` with this ``text`` defines.

    A file that names the class or its module may do so on any object; one that this file imports (a mixin) on any but
    its own ``self``."""
    _tell(path)
    name = re.escape(attribute.encode())
    any_read = re.compile(rb"\.%s%s" % (name, _NOT_ASSIGNED))
    other_read = re.compile(rb"(?<!\bself)\.%s%s" % (name, _NOT_ASSIGNED))
    users, imported = _relatives(path, owner, _mentioned(text))
    return any(any_read.search(_content(p)) for p in users) or any(other_read.search(_content(p)) for p in imported)


@lru_cache(maxsize=64)
def _mentioned(text: str) -> frozenset[str]:
    """The last parts of the modules a text imports from."""
    return frozenset(re.findall(r"^[ \t]*from[ \t]+[\w.]*?(\w+)[ \t]+import\b", text, re.MULTILINE))


@lru_cache(maxsize=16)
def _relatives(path: Path, owner: str, mentioned: frozenset[str]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The files that name a class or its module, and the files that its own file imports."""
    names = re.compile(rb"\b(?:%s|%s)\b" % (re.escape(owner.encode()), re.escape(path.stem.encode())))
    files = [other for other in islice(_project_files(path), _MOST_FILES) if other != path]
    users = tuple(other for other in files if names.search(_content(other)))
    return users, tuple(other for other in files if other.stem in mentioned)


def _project_files(path: Path) -> Iterator[Path]:
    """The files of the package that a file belongs to, and those beside the package; without one, the files of its
    directory and of the directory above."""
    package = _top_package(path)
    if package is None:
        return chain(_beside(path.parent), _beside(path.parent.parent))
    return chain(_below(package), _beside(package.parent))


def _top_package(path: Path) -> Path | None:
    """The directory of the outermost package a file belongs to."""
    package = path.parent
    if not _is_package(package):
        return None
    while _is_package(package.parent):
        package = package.parent
    return package


def _tell(path: Path) -> None:
    """Tell where the files are searched that may use what a file defines."""
    package = _top_package(path)
    searched((package or path.parent).parent, below=False)
    searched(package or path.parent, below=package is not None)


def forget() -> None:
    """Search anew: files have changed."""
    _relatives.cache_clear()


def _is_package(directory: Path) -> bool:
    return (directory / "__init__.py").is_file()


def _beside(directory: Path) -> Iterator[Path]:
    if directory.is_dir():
        yield from sorted(directory.glob("*.py"))


def _below(directory: Path) -> Iterator[Path]:
    for base, directories, names in os.walk(directory):
        directories.sort()
        yield from (Path(base, name) for name in sorted(names) if name.endswith(".py"))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
