"""The noun of this room, and how other spellings of a release become a version specifier."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint.source.versions import normalized, requirement, specifiers, version


@dataclass(frozen=True, slots=True)
class Pin:
    """What one line says about a distribution: which releases (``specifier``, empty for any). ``declared``: it is a demand that
    somebody will install by; otherwise it tells what somebody once had."""

    name: str
    specifier: str
    path: Path
    line: int = 0
    declared: bool = True


#: Longer texts are no requirements of anybody's; reading them would take long.
_LONGEST: Final = 400
_LOOSE: Final = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(===|==|~=|!=|>=|<=|>|<|=)\s*v?(\d[\w.*+!-]*)")
_CARET: Final = re.compile(r"\^\s*(\d+(?:\.\d+)*)")
_TILDE: Final = re.compile(r"~\s*(\d+(?:\.\d+)*)")
_WHEEL: Final = re.compile(r"([A-Za-z0-9_.]+)-(\d[\w.!]*)(?:(?:\+|%2B)[\w.]+)?-(?:cp|py)\d\w*-", re.IGNORECASE)


def pin_of_requirement(text: str, path: Path, line: int) -> Pin | None:
    """The pin of a requirement such as ``torch>=1.8; python_version > "3.6"``; ``None`` if it is none."""
    if len(text) > _LONGEST:
        return None
    if (wheel := _WHEEL.search(text)) is not None:
        return Pin(normalized(wheel[1]), f"=={wheel[2]}", path, line)
    try:
        found = requirement(text)
    except ValueError:
        return _loosely(text, path, line)
    return Pin(normalized(found.name), str(found.specifier), path, line)


def _loosely(text: str, path: Path, line: int) -> Pin | None:
    """The pin of a line that is no valid requirement, but begins like one."""
    found = _LOOSE.match(text)
    if found is None:
        return None
    operator = "==" if found[2] == "=" else found[2]
    return valid(Pin(normalized(found[1]), f"{operator}{found[3]}", path, line))


def valid(pin: Pin) -> Pin | None:
    """The pin, if its specifier can be read."""
    try:
        specifiers(pin.specifier)
    except ValueError:
        return None
    return pin


def specifier_of(text: str) -> str | None:
    """The specifier of Poetry's, Pipenv's or conda's spelling: ``^2.4``, ``~2.4``, ``*``, ``=1.19``, ``2.4.1``."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if text in ("", "*"):
        return ""
    if (caret := _CARET.fullmatch(text)) is not None:
        return f">={caret[1]},<{_next(caret[1], _significant(caret[1]))}"
    if (tilde := _TILDE.fullmatch(text)) is not None:
        return f">={tilde[1]},<{_next(tilde[1], min(1, tilde[1].count('.')))}"
    if text.startswith("=") and not text.startswith("=="):
        text = f"=={text[1:].removesuffix('.*')}.*"
    if text[:1].isdigit():
        text = f"=={text}"
    try:
        return str(specifiers(text))
    except ValueError:
        return None


def _significant(version: str) -> int:
    """The place that a caret holds fast: the first number that is not 0."""
    parts = version.split(".")
    return next((place for place, part in enumerate(parts) if int(part)), len(parts) - 1)


def _next(version: str, place: int) -> str:
    parts = [int(part) for part in version.split(".")][: place + 1]
    parts[-1] += 1
    return ".".join(map(str, parts))


def is_version(text: str) -> bool:
    """Whether a text is a version."""
    if len(text) > _LONGEST:
        return False
    try:
        version(text)
    except ValueError:
        return False
    return True
