"""Do other files of a project use an attribute of a class? Decided on their text: nothing is parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Final

from dllint.source.lines import searchable
from dllint.source.observed import Question, Searched, asked
from dllint.source.regular import read_regular
from dllint.source.stamps import NO_STAMP, folder_stamp, present_stamp

#: The kind of these questions, and the answer of what is used.
KIND: Final = "uses"
_YES: Final = "used"
#: No more files than this are looked at.
_MOST_FILES = 8_000
_NOT_ASSIGNED = rb"\b(?!\s*(?::[^=\n]*)?=[^=])"


def used_elsewhere(path: Path, text: str, owner: str, attribute: str) -> bool:
    """Whether another file reads ``.attribute`` of the class ``owner``, which the file ``path`` with this ``text`` defines.

    A file that names the class or its module may do so on any object; one that this file imports (a mixin) on any but
    its own ``self``."""
    path = path.absolute()  # a relative one has no outermost directory
    found = _is_used(path, text, owner, attribute, _project_files(_top_package(path), path.parent))
    asked(Question(KIND, (str(path), owner, attribute)), _places(path), _YES if found else "")
    return found


def is_answer(given: Sequence[str], answer: str, changed: Collection[str]) -> bool:
    """Whether the answer to an earlier question still holds, as some files are not as they were.

    Raises:
        ValueError, OSError: the question cannot be asked any more.
    """
    name, owner, attribute = given
    path = Path(name)
    files = _project_files(_top_package(path), path.parent)
    if not answer and len(files) < _MOST_FILES:  # what has not changed does not use it
        files = tuple(file for file in files if file in changed)
    return _is_used(path, read_regular(path).decode(), owner, attribute, files) == (answer == _YES)


def _is_used(path: Path, text: str, owner: str, attribute: str, files: Iterable[str]) -> bool:
    any_read = re.compile(re.escape(b"." + attribute.encode()) + _NOT_ASSIGNED)
    other_read = re.compile(rb"(?<!\bself)" + any_read.pattern)
    names = re.compile(rb"\b(?:%s|%s)\b" % (re.escape(owner.encode()), re.escape(os.fsencode(path.stem))))
    mentioned = _mentioned(text)
    for other in files:
        if other != str(path) and _may_read(other, attribute):  # hardly any file does: nothing is to be asked of the others
            content = _content(other)
            if any_read.search(content) and names.search(content):
                return True
            if _stem(other) in mentioned and other_read.search(content):
                return True
    return False


@lru_cache(maxsize=64)
def _mentioned(text: str) -> frozenset[str]:
    """The last parts of the modules a text imports from."""
    return frozenset(re.findall(r"^[ \t]*from[ \t]+[\w.]*?(\w+)[ \t]+import\b", searchable(text), re.MULTILINE))


@lru_cache(maxsize=4)
def _project_files(package: Path | None, directory: Path) -> tuple[str, ...]:
    """The files of an outermost package and those beside it; without one, the files of a directory and of the one above."""
    files = chain(_modules_in(directory), _modules_in(directory.parent)) if package is None else _of_package(package)
    return tuple(islice(files, _MOST_FILES))


def _of_package(package: Path) -> Iterator[str]:
    return chain(_below(package), _modules_in(package.parent))


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".py")


def _top_package(path: Path) -> Path | None:
    """The directory of the outermost package a file belongs to."""
    package = path.parent
    if not _is_package(package):
        return None
    while package.parent != package and _is_package(package.parent):
        package = package.parent
    return package


def _places(path: Path) -> tuple[Searched, Searched]:
    """Where the files are that may use what a file defines."""
    package = _top_package(path)
    near = package or path.parent
    return Searched(near.parent, below=False), Searched(near, below=package is not None)


def forget() -> None:
    """Search anew: files have changed."""
    _project_files.cache_clear()


def _is_package(directory: Path) -> bool:
    return os.path.isfile(directory / "__init__.py")


def _modules_in(directory: Path) -> Iterator[str]:
    if os.path.isdir(directory):
        yield from sorted(map(str, directory.glob("*.py")))


def _below(directory: Path) -> Iterator[str]:
    for base, directories, names in os.walk(directory):
        directories.sort()
        yield from (os.path.join(base, name) for name in sorted(names) if name.endswith(".py"))


#: By path of a file: its stamp, and all names behind a point in it, each once, between spaces.
_names: Final[dict[str, tuple[str, bytes]]] = {}
_AFTER_POINT: Final = re.compile(rb"\.(\w+)")


def _may_read(path: str, attribute: str) -> bool:
    """Whether a file holds the name of an attribute behind a point. Files are read for this once, as long as they stay."""
    if not attribute.isascii():
        return True
    known = _names.get(path)
    if known is None or known[0] != present_stamp(path):
        known = _names_in(path)
    return b" %s " % attribute.encode() in known[1]


def _names_in(path: str) -> tuple[str, bytes]:
    found = folder_stamp(path), b" %s " % b" ".join(sorted(set(_AFTER_POINT.findall(_content(path)))))
    if found[0] != NO_STAMP:
        if len(_names) >= _MOST_FILES:
            _names.clear()
        _names[path] = found
    return found


def _content(path: str) -> bytes:
    try:
        return read_regular(path)
    except OSError:
        return b""
