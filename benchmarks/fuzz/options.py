"""What all fuzzers are told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """``count`` is what the subject counts; ``peers`` holds public checkouts, if there are any."""

    count: int
    seed: int = 0
    peers: Path | None = None
    jobs: int = 1
