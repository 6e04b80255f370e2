"""The syntax trees of the user's files as they are being executed, and columns in code points."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache


@lru_cache(maxsize=32)
def tree_of(path: str) -> ast.Module | None:
    """The tree of a file (or notebook cell), ``None`` if its text is not to be had."""
    lines = linecache.getlines(path)
    try:
        return ast.parse("".join(lines)) if lines else None
    except (SyntaxError, ValueError):
        return None


def column_at(path: str, line: int, offset: int) -> int:
    """The 1-based code-point column of an offset in bytes of UTF-8 within a line."""
    text = linecache.getline(path, line)
    return (offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))) + 1
