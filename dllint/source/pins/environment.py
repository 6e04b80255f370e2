"""Packages installed in a virtual environment of the project, read from the names of its metadata directories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dllint.source.pins.pin import Pin, is_version
from dllint.source.pins.reading import names_in, read_text

_FOLDERS: Final = (".venv", "venv", "env", ".env", ".tox/py")
_METADATA: Final = re.compile(r"([A-Za-z0-9_.]+)-([^-]+)\.(?:dist|egg)-info")
_PYTHON: Final = re.compile(r"^version(?:_info)?\s*=\s*(\d+\.\d+(?:\.\d+)?)", re.MULTILINE)
_MOST: Final = 20_000


def in_directory(directory: Path) -> Iterator[Pin]:
    """The pins of the virtual environments in a directory."""
    for folder in _FOLDERS:
        root = directory / folder
        settings = read_text(root / "pyvenv.cfg")
        if not settings:
            continue
        if (python := _PYTHON.search(settings)) is not None:
            yield Pin("python", f"=={python[1]}", root / "pyvenv.cfg", declared=False)
        for packages in _packages(root):
            for name in names_in(packages, _MOST):
                found = _METADATA.fullmatch(name)
                if found is not None and is_version(found[2]):
                    yield Pin(found[1].lower().replace("_", "-"), f"=={found[2]}", root, declared=False)


def _packages(root: Path) -> Iterator[Path]:
    yield from (root / "lib" / name / "site-packages" for name in names_in(root / "lib") if name.startswith("python"))
    yield root / "Lib" / "site-packages"
