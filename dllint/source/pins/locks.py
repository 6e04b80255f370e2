"""Lock files: ``poetry.lock``, ``uv.lock``, ``pdm.lock`` and ``Pipfile.lock``; and the ``Pipfile`` beside the last one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dllint.source.pins.pin import Pin, is_version, specifier_of
from dllint.source.pins.reading import line_of, read_json, read_text, read_toml

_LARGEST: Final = 8 * 1024 * 1024
_TOML_LOCKS: Final = ("uv.lock", "poetry.lock", "pdm.lock")
_PACKAGE: Final = re.compile(r'^\[\[package\]\]\r?\nname = "([^"\n]{1,200})"\r?\nversion = "([^"\n]{1,100})"', re.MULTILINE)


def in_directory(directory: Path) -> Iterator[Pin]:
    """The pins of the lock files of a directory."""
    for name in _TOML_LOCKS:
        path = directory / name
        text = read_text(path, _LARGEST)
        for found in _PACKAGE.finditer(text):
            if is_version(found[2]):
                yield Pin(found[1].lower().replace("_", "-"), f"=={found[2]}", path, text.count("\n", 0, found.start()) + 2)
    yield from _pipfile_lock(directory / "Pipfile.lock")


def _pipfile_lock(path: Path) -> Iterator[Pin]:
    document = read_json(path, _LARGEST)
    for section in ("default", "develop"):
        packages = document.get(section)
        for name, entry in packages.items() if isinstance(packages, dict) else ():
            version = entry.get("version") if isinstance(entry, dict) else None
            if isinstance(version, str) and (found := specifier_of(version)):
                yield Pin(name.lower(), found, path)


def pipfile(directory: Path) -> Iterator[Pin]:
    """The pins of a ``Pipfile``."""
    path = directory / "Pipfile"
    document = read_toml(path)
    for section in ("packages", "dev-packages", "requires"):
        table = document.get(section)
        for name, value in table.items() if isinstance(table, dict) else ():
            version = value.get("version", "*") if isinstance(value, dict) else value
            found = specifier_of(version) if isinstance(version, str) else None
            if found is not None:
                distribution = "python" if name in ("python_version", "python_full_version") else name.lower()
                yield Pin(
                    distribution, f"{found}.*" if name == "python_version" else found, path, line_of(read_text(path), name)
                )
