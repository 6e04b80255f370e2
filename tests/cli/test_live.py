"""Live progress of diagnosed runs, on a pseudo-terminal that is read back."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import struct
import sys
import termios

import pytest

from dllint.cli.live import live, running, trying
from dllint.cli.status_row import StatusRow
from dllint.diagnose.pace import PERIOD, Pace, Progress
from dllint.diagnose.trials.progress import TrialProgress


class Screen:
    """What a terminal of some rows shows: enough of one to see what scrolls and what does not."""

    def __init__(self, rows: int, columns: int = 80) -> None:
        self.primary, self.secondary = pty.openpty()
        fcntl.ioctl(self.secondary, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.rows, self.columns = rows, columns
        self.lines = [""] * rows
        self.row, self.saved, self.last = 0, (0, 0), rows

    def read(self) -> list[str]:
        os.set_blocking(self.primary, False)
        got = b""
        with contextlib.suppress(BlockingIOError):
            while True:
                got += os.read(self.primary, 1 << 16)
        text = got.decode()
        for part in re.findall(r"\x1b[78]|\x1b\[[\d;]*[A-Za-z]|\r?\n|[^\x1b\n\r]+|\r", text):
            self._take(part)
        return self.lines

    def _take(self, part: str) -> None:
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        if part == "\x1b7":
            self.saved = self.row, self.last
        elif part == "\x1b8":
            self.row = self.saved[0]
        elif part.endswith("\n"):
            self._feed()
        elif part.startswith("\x1b["):
            self._control(part[-1], numbers)
        elif part != "\r":
            self.lines[self.row] += part

    def _control(self, letter: str, numbers: list[int]) -> None:
        if letter == "H":
            self.row = numbers[0] - 1
        elif letter == "K":
            self.lines[self.row] = ""
        elif letter == "A":
            self.row -= numbers[0]
        elif letter == "r":
            self.last = numbers[1] if numbers else self.rows

    def _feed(self) -> None:
        if self.row == self.last - 1:
            self.lines[: self.last] = [*self.lines[1 : self.last], ""]
        else:
            self.row += 1


@pytest.fixture
def screen():
    made = Screen(6)
    yield made
    os.close(made.primary)
    os.close(made.secondary)


def said(screen, text):
    os.write(screen.secondary, text.encode())


def test_what_the_program_prints_scrolls_above_the_row(screen):
    said(screen, "".join(f"line {number}\n" for number in range(7)))
    row = StatusRow(screen.secondary)
    row.show("step 1")
    said(screen, "line 7\nline 8\nhalf a li")
    row.show("step 2")
    said(screen, "ne\n")
    assert screen.read() == ["line 6", "line 7", "line 8", "half a line", "", "step 2"]
    row.close()
    said(screen, "a\nb\n")
    assert screen.read() == ["line 7", "line 8", "half a line", "a", "b", ""]


def test_a_row_is_not_wider_than_the_terminal_and_needs_a_few_rows(screen):
    StatusRow(screen.secondary).show("x" * 200)
    assert len(screen.read()[-1]) == 79
    fcntl.ioctl(screen.secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 3, 80, 0, 0))
    small = StatusRow(screen.secondary)
    before = list(screen.lines)
    small.show("nothing")
    small.close()
    assert screen.read() == before


def test_a_terminal_that_changes_its_size_is_followed(screen):
    row = StatusRow(screen.secondary)
    row.show("one")
    fcntl.ioctl(screen.secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 80, 0, 0))
    row.show("two")
    assert screen.read()[4] == "two"
    assert screen.last == 4


def test_nothing_is_shown_where_nobody_looks(capfd):
    with live(True) as tell:
        tell("progress", Progress("Adam", 5, 9.0, 1.0, 0.5, 0.0))
    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal_and_taken_away(screen, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(os.dup(screen.secondary), "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        with live(True) as tell:
            tell("progress", Progress("Adam", 5, 0.2, 0.0, None, 0.0))
            assert screen.read()[-1] == ""
            tell("progress", Progress("Adam", 1500, 75.0, 24.0, 0.51234, 0.021))
            assert screen.read()[-1].startswith("dllint: step 1,500 of Adam · loss 0.5123 · 24 steps/s · watching takes 2.1% ·")
        assert screen.read()[-1] == ""


def test_words():
    assert list(running(Progress("SGD", 1, 2.0, 0.0, None, 0.0))) == ["dllint: step 1 of SGD", "0:02"]
    asked = TrialProgress(2, 5, 1, 4, 9, "clipping", "Clip the gradients")
    assert list(trying(asked, 1)) == [
        "dllint: trying repair 2 of 5: Clip the gradients",
        "seed 1",
        "run 4 of 9",
        "1 confirmed",
    ]


def test_the_pace_is_that_of_the_track_since_its_last_record():
    pace = Pace()
    assert not pace.is_due(0.0)
    assert pace.is_due(1.0)
    assert pace.record("a", 10, 1.0, None, 0.0).rate == 0
    assert not pace.is_due(1.0 + PERIOD / 2)
    assert pace.record("a", 30, 3.0, None, 0.0).rate == 10
