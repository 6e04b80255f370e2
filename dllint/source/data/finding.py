"""Which file a path in a program names: it is relative to the directory that the program is started in, which nobody knows, so
that every directory from the program's own up to the project's root is tried."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from dllint.source.data.plain import UnreadableError

T = TypeVar("T")
#: So many directories are looked in, and so long may a path be.
_MOST_DIRECTORIES: Final = 12
_LONGEST: Final = 400


def candidates(importer: str, name: str, roots: Sequence[str]) -> list[str]:
    """The paths that ``name`` may stand for in the file ``importer``, below its root among the ``roots``."""
    if not name or len(name) > _LONGEST or "\0" in name or "\n" in name:
        return []
    root = root_of(importer, roots)
    directory = os.path.dirname(importer)
    tried: list[str] = []
    while is_below(directory, root) and len(tried) < _MOST_DIRECTORIES:
        tried.append(os.path.normpath(os.path.join(directory, name)))
        if directory == root or os.path.isabs(name):
            break
        directory = os.path.dirname(directory)
    return list(dict.fromkeys(path for path in tried if is_below(path, root) and path != root))


def root_of(importer: str, roots: Sequence[str]) -> str:
    """The outermost of some roots that a file lies in; its directory if it lies in none."""
    return min((root for root in roots if is_below(importer, root)), key=len, default=os.path.dirname(importer))


def content(paths: Sequence[str], root: str, read: Callable[[str], T]) -> tuple[Path, T] | None:
    """The file among some paths and what ``read`` gives of it; None if there is none, if it cannot be read, leads out of the
    root, or if several differ."""
    found: list[tuple[Path, T]] = []
    for path in paths:
        if not _stays_inside(path, root):
            continue
        try:
            found.append((Path(path), read(path)))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, UnreadableError):  # a file is there that cannot be read: nobody knows what it holds
            return None
    return found[0] if found and all(held == found[0][1] for _, held in found[1:]) else None


def is_below(path: str, root: str) -> bool:
    """Whether an absolute path is a directory or lies in it."""
    return path == root or path.startswith(root if root.endswith(os.sep) else f"{root}{os.sep}")


def _stays_inside(path: str, root: str) -> bool:
    return is_below(os.path.realpath(path), os.path.realpath(root))
