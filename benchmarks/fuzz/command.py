"""Command lines of dllint, run inside a worker."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from dllint.cli.main import run

#: A program with one fault, and the code of it.
FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
FAULT = "DLT105"


@dataclass(frozen=True, slots=True)
class Told:
    """How a command line ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def fault(self) -> str:
        """What is wrong with it, whatever it was asked to do: a status that is none, an error of dllint's own."""
        if self.status not in (0, 1, 2):
            return f"exit status {self.status}"
        for word in ("Traceback", "internal-error"):
            if word in self.err + self.out:
                return f"{word}: {(self.err + self.out)[-1500:]}"
        return ""


def told(folder: Path, *arguments: str) -> Told:
    """Run a command line in a folder."""
    with _inside(folder), redirect_stdout(_Stream()) as out, redirect_stderr(_Stream()) as err:
        status = run(arguments)
        sys.stdout.flush()
        return Told(status, out.text, err.text)


class _Stream(io.TextIOWrapper):
    """A stream that keeps what is written, bytes that are no text included."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="", write_through=True)

    @property
    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8", "replace")


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
