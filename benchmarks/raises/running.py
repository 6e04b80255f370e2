"""Programs run, with what is raised in their lines."""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

from benchmarks.differential.running import modes_kept, seed_all

PATH: Final = Path("/raises/program.py")
_SECONDS: Final = 20.0


@dataclass(slots=True)
class Run:
    """The exceptions that a run has raised in the program's own lines, and the one that has ended it."""

    raised: set[tuple[int, str]] = field(default_factory=set)
    ended: str = ""


def run(text: str) -> Run:
    """Run a program and note what is raised in it."""
    out = Run()
    seed_all(0)

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception":
            out.raised.add((frame.f_lineno, argument[0].__name__))
        return local

    def begun(frame: FrameType, _event: str, _argument: Any) -> Any:
        return local if frame.f_code.co_filename == str(PATH) else None

    with limited(), silent(), modes_kept():
        try:
            code = compile(text, str(PATH), "exec")
            sys.settrace(begun)
            exec(code, {"__name__": "__main__"})
        except (Exception, SystemExit) as error:
            out.ended = f"{type(error).__name__}: {error}"[:200]
        finally:
            sys.settrace(None)
    return out


@contextmanager
def scratch() -> Iterator[None]:
    """The working directory is an empty one while the context is open: programs may write files."""
    outer = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(outer)


@contextmanager
def silent() -> Iterator[None]:
    """Nothing is printed while the context is open."""
    silent = io.StringIO()
    with redirect_stdout(silent), redirect_stderr(silent), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def limited() -> Iterator[None]:
    """What takes more than :data:`_SECONDS` of CPU time raises TimeoutError; the environment is as before at the end."""

    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError("the program takes too long")

    handler, saved = signal.signal(signal.SIGPROF, stop), dict(os.environ)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        os.environ.clear()
        os.environ.update(saved)
