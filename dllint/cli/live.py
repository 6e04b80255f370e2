"""Live progress of a diagnosed run, for people who wait: a listener of its events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from dllint.cli.status_row import StatusRow, status_row
from dllint.diagnose.monitor import Listener
from dllint.diagnose.pace import Progress
from dllint.diagnose.trials.progress import TrialProgress, Verdict

#: Seconds before which nothing is shown: short runs need no progress.
_PATIENCE: Final = 1.0


@contextmanager
def live(wanted: bool) -> Iterator[Listener]:
    """A listener that shows how far the run and the trials are while standard error is a terminal."""
    with status_row(wanted) as row:
        yield _ignored if row is None else _Live(row).tell


def _ignored(event: str, record: Any) -> None:
    """Nobody looks on."""


class _Live:
    def __init__(self, row: StatusRow) -> None:
        self._row = row
        self._confirmed = 0

    def tell(self, event: str, record: Any) -> None:
        """One event."""
        if isinstance(record, Progress) and record.seconds > _PATIENCE:
            self._row.show(" · ".join(running(record)))
        elif isinstance(record, Verdict):
            self._confirmed += record.recommended
        elif event == "trial-started" and isinstance(record, TrialProgress):
            self._row.show(" · ".join(trying(record, self._confirmed)))
        elif event == "applying":
            self._row.show("dllint: running the repaired program")
        elif event == "ended":
            self._row.close()


def running(record: Progress) -> Iterator[str]:
    """What is shown of the program as it trains."""
    yield f"dllint: step {record.step:,} of {record.track}"
    if record.loss is not None:
        yield f"loss {record.loss:.4g}"
    if record.rate:
        yield f"{record.rate:.3g} steps/s"
    if record.own_share:
        yield f"watching takes {record.own_share:.1%}"
    minutes, seconds = divmod(int(record.seconds), 60)
    yield f"{minutes}:{seconds:02}"


def trying(record: TrialProgress, confirmed: int) -> Iterator[str]:
    """What is shown while repairs are tried."""
    if record.repair:
        yield f"dllint: trying repair {record.repair} of {record.repairs}: {record.message}"
        yield f"seed {record.seed}"
    else:
        yield f"dllint: running the program again as it is, seed {record.seed}"
    yield f"run {record.branch} of {record.branches}"
    if confirmed:
        yield f"{confirmed} confirmed"
