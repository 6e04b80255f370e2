"""Releases that a README states: ``- Keras 2.1.5``, ``PyTorch >= 1.2``, ``pip install tensorflow==1.15``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dllint.source.pins.pin import Pin, valid
from dllint.source.pins.reading import names_in, read_text
from dllint.source.pins.requirements import of_install_line

_LIBRARIES: Final = {
    "tensorflow": "tensorflow",
    "tensorflow-gpu": "tensorflow",
    "keras": "keras",
    "pytorch": "torch",
    "torch": "torch",
}
_STATED: Final = re.compile(
    r"(?<![\w./-])(tensorflow(?:-gpu)?|keras|pytorch|torch)\W{1,3}?\s*(?:version\s*)?(==|>=|~=|>|≥|<=|<|=)?\s*v?"
    r"(\d{1,2}\.\d{1,3}(?:\.\d{1,2})?)(?![\w-]|\.\d)(\+|\s*(?:or|and)\s+(?:later|newer|higher|above|up)\b)?",
    re.IGNORECASE,
)
_OPERATORS: Final = {"≥": ">=", "=": "==", ">": ">="}
_LONGEST: Final = 256 * 1024


def in_directory(directory: Path) -> Iterator[Pin]:
    """The pins that the README files of a directory state."""
    for name in names_in(directory):
        if name.lower() in ("readme", "readme.md", "readme.rst", "readme.txt"):
            yield from of_text(read_text(directory / name, _LONGEST), directory / name)


def of_text(text: str, path: Path) -> Iterator[Pin]:
    """The pins in a text. A bare ``Keras 2.1.5`` is one that it was tried with."""
    for number, line in enumerate(text.splitlines(), 1):
        installed = list(of_install_line(line, path, number))
        yield from installed
        for found in () if installed else _STATED.finditer(line):
            specifier, open_ = _specifier(found)
            pin = valid(Pin(_LIBRARIES[found[1].lower()], specifier, path, number, declared=open_))
            if pin is not None:
                yield pin


def _specifier(found: re.Match[str]) -> tuple[str, bool]:
    """The specifier of a statement, and whether it admits newer releases."""
    operator, version = _OPERATORS.get(found[2] or "", found[2] or ""), found[3]
    if found[4]:
        return f">={version}", True
    if operator in ("", "=="):
        return f"=={version}.*", False
    return f"{operator}{version}", operator in (">=", "~=")
