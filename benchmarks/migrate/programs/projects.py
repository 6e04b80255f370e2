"""A file with those of its own project that it imports, copied, and migrated."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path

from dllint.engine.session import Session
from dllint.migrate.files import Migrated, migrate_file
from dllint.migrate.goal import Goal

_MOST = 40


def closure(file: Path, root: Path) -> list[Path]:
    """The file, and the files of its project that it reaches by imports."""
    found = [file]
    for path in found:
        if len(found) < _MOST:
            found += [each for each in imported(path, file, root) if each not in found]
    return found


def imported(path: Path, file: Path, root: Path) -> Iterator[Path]:
    """The files that the imports of a file name, looked for beside it, beside the program, and from the root."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}".lstrip(".") for alias in node.names)]
        for name in filter(None, names):
            for base in dict.fromkeys((path.parent, file.parent, root)):
                yield from _files(base, name, root)


def _files(base: Path, name: str, root: Path) -> Iterator[Path]:
    target = base.joinpath(*name.split("."))
    for path in (target.with_suffix(".py"), target / "__init__.py"):
        if path.is_file() and path.is_relative_to(root):
            yield path


def copied(
    files: list[Path], root: Path, before: Path, after: Path, session: Session, goals: list[Goal]
) -> dict[Path, Migrated]:
    """Write all files as they are below one folder, and migrated below another; the migrations by their results."""
    done: dict[Path, Migrated] = {}
    packages = {parent for path in files for parent in path.parents if parent.is_relative_to(root) and parent != root}
    for folder in (before, after):
        for package in packages:
            if (package / "__init__.py").is_file():
                place = folder / package.relative_to(root) / "__init__.py"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.touch()
    for path in files:
        data = path.read_bytes()
        migrated = done[after / path.relative_to(root)] = migrate_file(session, path, data, goals)
        for folder, content in ((before, data), (after, migrated.after)):
            place = folder / path.relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    return done
