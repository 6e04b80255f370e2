"""Console sessions in Markdown: ``$ cat FILE`` shows a file, ``$ dllint …`` is run on the files shown so far."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dllint.dev.scaffold import REPOSITORY

_SESSION = re.compile(r"(?<=^```console\n)(.*?)(?=^```)", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)


def refreshed(page: str) -> str:
    """A page with the output of every ``dllint`` command as it is today."""
    return _SESSION.sub(lambda match: _run(match[1]), page)


def _run(session: str) -> str:
    with tempfile.TemporaryDirectory() as directory:
        return "".join(f"$ {command}\n{output}" for command, output in _steps(session, Path(directory)))


def _steps(session: str, directory: Path) -> Iterator[tuple[str, str]]:
    parts = _COMMAND.split(session)[1:]
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        words = shlex.split(command)
        if words[0] == "cat":
            (directory / words[1]).write_text(shown, encoding="utf-8")
            yield command, shown
        else:
            yield command, _output(words[1:], directory)


def _output(arguments: list[str], directory: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "NO_COLOR": "1"}
    call = [sys.executable, "-m", "dllint", *arguments]
    done = subprocess.run(call, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    return done.stdout
