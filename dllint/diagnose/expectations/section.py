"""A part of a test file: constants at its top, and a test that uses them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """``constants`` and ``test`` are lines of code; ``unmet`` says what the model at hand does not meet, empty if it does."""

    constants: tuple[str, ...]
    test: str
    unmet: str = ""


def table(name: str, comment: str, rows: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """A dictionary with one line per entry."""
    return (f"# {comment}", f"{name} = {{", *(f'    "{key}": {literal(value)},' for key, value in rows), "}")


def literal(value: object) -> str:
    """A value as code, with double quotes."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        items = [literal(item) for item in value]
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    return repr(value)
