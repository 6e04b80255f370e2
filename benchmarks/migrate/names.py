"""Which library names a text uses that the installed release does not have."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from dllint.analysis.symbol_uses import symbol_uses
from dllint.source.document import Document

LIBRARIES = {"keras3": ("keras",), "tf2": ("tensorflow",), "torch2": ("torch",)}


@cache
def exists(name: str) -> bool:
    """Whether a qualified name can be reached; attributes of objects that are no modules or classes count as there."""
    parts = name.split(".")
    try:
        found = importlib.import_module(parts[0])
    except ImportError:
        return True
    for at, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except Exception:
            try:
                found = importlib.import_module(".".join(parts[:at]))
            except Exception:
                return not isinstance(found, (type(importlib), type))
    return True


def missing(path: Path, text: str, goal: str) -> list[tuple[int, str]]:
    """The uses of names that are not there, with their lines; guarded ones do not count."""
    document = Document.from_text(path, text)
    found = []
    for use in symbol_uses(document):
        if use.name.partition(".")[0] in LIBRARIES[goal] and not exists(use.name):
            line = document.span(use.site.statement, use.site.node).first.line
            found.append((line, use.name))
    return found
