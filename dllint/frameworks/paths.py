"""Paths and open files as values."""

from __future__ import annotations

from typing import Final

from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap

#: The class of an open file, and that of a path; ``state["path"]`` has its text.
FILE: Final = LibSymbol("io.TextIOWrapper")
PATH: Final = LibSymbol("pathlib.Path")


def path_of(value: Value) -> str | None:
    """The path that a text, a path object or an open file stands for."""
    value = unwrap(value)
    if isinstance(value, InstanceVal) and value.cls in (FILE, PATH):
        value = unwrap(value.state.get("path"))
    return value if isinstance(value, str) else None
