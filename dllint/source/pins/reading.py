"""Files of an untrusted checkout: regular ones of bounded size, or nothing."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import Any, Final

from dllint.source.regular import read_regular

#: What readers of broken or hostile content may run into.
BROKEN: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError, SyntaxError, OSError)
_USUAL: Final = 512 * 1024


def read_text(path: Path, limit: int = _USUAL) -> str:
    """The text of a regular file of at most ``limit`` bytes; empty for anything else."""
    try:
        return _decoded(read_regular(path, limit, follow=False))
    except (OSError, ValueError):
        return ""


def _decoded(data: bytes) -> str:
    """Text in the encoding that its byte order mark names, as pip reads it; without one, in UTF-8."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def read_toml(path: Path) -> dict[str, Any]:
    """The table of a TOML file; empty if it is none."""
    text = read_text(path)
    if not text:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except BROKEN:
        return {}


def read_json(path: Path, limit: int) -> dict[str, Any]:
    """The object of a JSON file; empty if it is none."""
    try:
        found = json.loads(read_text(path, limit))
    except BROKEN:
        return {}
    return found if isinstance(found, dict) else {}


def names_in(directory: Path, limit: int = 4_000) -> list[str]:
    """The names of a directory's entries, sorted; of at most so many, else none."""
    names: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                names.append(entry.name)
                if len(names) > limit:
                    return []
    except OSError:
        return []
    return sorted(names)


def line_of(text: str, word: str) -> int:
    """The 1-based line in which a word first stands; 0 if it stands nowhere."""
    at = text.find(word)
    return 0 if at < 0 else text.count("\n", 0, at) + 1
