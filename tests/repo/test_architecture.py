"""The architecture page stays short enough to be read in one sitting."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
LINES = 150
WIDTH = 128


def test_the_page_is_short():
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= LINES


def test_lines_outside_tables_are_short():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > WIDTH and not line.startswith("|")] == []
