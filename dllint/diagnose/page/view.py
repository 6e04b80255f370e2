"""How the page names and reads files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dllint.diagnose.findings import Read
from dllint.diagnose.places import SourcePlace
from dllint.source.lines import split_lines


@dataclass(slots=True)
class View:
    """``read`` gives texts of files, ``base`` is what printed paths are relative to."""

    read: Read
    base: Path
    _lines: dict[Path, list[str]] = field(default_factory=dict)

    def lines(self, path: Path) -> list[str]:
        """The lines of a file without their ends."""
        if path not in self._lines:
            self._lines[path] = bare_lines(self.read(path))
        return self._lines[path]

    def shown(self, path: Path) -> str:
        """A path as it is printed."""
        absolute = path if path.is_absolute() else self.base / path
        return absolute.relative_to(self.base).as_posix() if absolute.is_relative_to(self.base) else str(path)

    def place(self, place: SourcePlace | None) -> str:
        """``train.py:12``; empty for no place."""
        return f"{self.shown(Path(place.path))}:{place.line}" if place is not None else ""


def bare_lines(text: str) -> list[str]:
    """The lines of a text without their ends."""
    return [line.rstrip("\r\n") for line in split_lines(text)]
