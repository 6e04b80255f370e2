"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def table(rows: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """Lines with columns as wide as they need; ``sides`` has ``<`` or ``>`` for each column."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(sides))]
    for row in rows:
        yield "  " + "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
