"""A progress bar on stderr, for people who wait."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

_PATIENCE: Final = 1.0
_FEW_FILES: Final = 20


@contextmanager
def progress(total: int, wanted: bool) -> Iterator[Callable[[], None]]:
    """A function to call after each file. A bar appears once the work has taken a second, if stderr is a terminal."""
    if not wanted or total < _FEW_FILES or not sys.stderr.isatty():
        yield lambda: None
        return
    bar = _Bar(total)
    try:
        yield bar.advance
    finally:
        bar.stop()


class _Bar:
    """A rich progress bar that is imported and drawn only when the work turns out to be long."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.started = monotonic()
        self.stop: Callable[[], None] = lambda: None
        self._show: Callable[[int], None] | None = None

    def advance(self) -> None:
        """Count one more file."""
        self.done += 1
        if self._show is None and monotonic() - self.started > _PATIENCE:
            self._open()
        if self._show is not None:
            self._show(self.done)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task("checking", total=self.total)
        bar.start()
        self.stop = bar.stop
        self._show = lambda done: bar.update(task, completed=done)


@contextmanager
def doing(wanted: bool) -> Iterator[Callable[[str], None]]:
    """A function that shows what is being done: a line that changes if stderr is a terminal, else a line for each."""
    if not wanted:
        yield lambda text: None
    elif not sys.stderr.isatty():
        yield lambda text: print(f"{text} …", file=sys.stderr, flush=True)
    else:
        from rich.console import Console

        with Console(stderr=True).status("") as status:
            yield status.update
