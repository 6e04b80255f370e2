"""Progress of a run: the records of the event ``progress``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Seconds between two records.
PERIOD: Final = 0.25


@dataclass(frozen=True, slots=True)
class Progress:
    """``rate`` is in steps per second since the last record, of the track that has just stepped; ``own_share`` is what
    observation costs. ``loss`` is the latest one of that track, as far as one is known."""

    track: str
    step: int
    seconds: float
    rate: float
    loss: float | None
    own_share: float


class Pace:
    """Says when the next record is due, and at which rate steps are made."""

    def __init__(self) -> None:
        self._due = PERIOD
        self._latest: dict[str, tuple[int, float]] = {}

    def is_due(self, seconds: float) -> bool:
        """Whether it is time for a record."""
        return seconds >= self._due

    def record(self, track: str, step: int, seconds: float, loss: float | None, own_share: float) -> Progress:
        """The record for now."""
        first, begun = self._latest.get(track, (0, 0.0))
        self._latest[track] = step, seconds
        self._due = seconds + PERIOD
        rate = (step - first) / (seconds - begun) if first and seconds > begun else 0.0
        return Progress(track, step, seconds, rate, loss, own_share)
