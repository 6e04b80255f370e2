"""The progress bar: only for people who wait, and only on stderr."""

from __future__ import annotations

import io
import sys

import pytest

from dllint.cli import progress as module


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "total", "wanted", "patience", "drawn"),
    [
        (Terminal, 50, True, -1.0, True),
        (Terminal, 50, True, 60.0, False),
        (Terminal, 50, False, -1.0, False),
        (Terminal, 3, True, -1.0, False),
        (io.StringIO, 50, True, -1.0, False),
    ],
)
def test_drawn_only_on_a_terminal_when_the_work_is_long(monkeypatch, stream, total, wanted, patience, drawn):
    terminal = stream()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(module, "_PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with module.progress(total, wanted) as advance:
        for _ in range(total):
            advance()
    assert bool(terminal.getvalue()) is drawn
