"""The code around a finding, as its reader sees it."""

from __future__ import annotations

from pathlib import Path

from dllint.engine.reading import Source, read_source


def excerpt(tree: Path, file: str, cell: int | None, line: int, *, before: int = 40, after: int = 20) -> str:
    """The lines around a line, with their numbers; the line itself is marked. Cells before the one of the line count, too."""
    path = tree / file
    if not path.is_file():
        return ""
    source = read_source(path, path.read_bytes())
    if not isinstance(source, Source):
        return ""
    lines = _lines(source, cell)
    at = next((index for index, (where, number, _) in enumerate(lines) if (where, number) == (cell, line)), 0)
    shown = lines[max(0, at - before) : at + after + 1]
    width = max((len(_name(where, number)) for where, number, _ in shown), default=0)
    return "\n".join(
        f"{'>' if (where, number) == (cell, line) else ' '} {_name(where, number):>{width}} {text}".rstrip()
        for where, number, text in shown
    )


def _lines(source: Source, cell: int | None) -> list[tuple[int | None, int, str]]:
    """All lines of a file, each with its cell and its number."""
    if cell is None or source.notebook is None:
        return [(None, number, text) for number, text in enumerate(source.text.splitlines(), 1)]
    texts = source.notebook.notebook.texts
    return [(where, number, text) for where in sorted(texts) for number, text in enumerate(texts[where].splitlines(), 1)]


def _name(cell: int | None, number: int) -> str:
    return str(number) if cell is None else f"{cell}:{number}"
