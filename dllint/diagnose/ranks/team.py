"""Which of a launcher's processes this one is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

#: Set by torchrun, accelerate and their like.
_LAUNCHER: Final = ("TORCHELASTIC_RUN_ID", "LOCAL_RANK")


@dataclass(frozen=True, slots=True)
class Team:
    """The processes of one run; ``rank`` counts from 0, the first speaks for all. ``attempt`` counts the launcher's
    restarts."""

    rank: int
    size: int
    attempt: int = 0

    @property
    def others(self) -> range:
        """The ranks that report to the first one."""
        return range(1, self.size)


def launched_team() -> Team:
    """The team by the environment; one process alone without a launcher."""
    return Team(_number("RANK", 0), max(_number("WORLD_SIZE", 1), 1), _number("TORCHELASTIC_RESTART_COUNT", 0))


def is_launched() -> bool:
    """Whether a launcher has started this process, and waits for its exit status."""
    return any(name in os.environ for name in _LAUNCHER)


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    return int(text) if text.isdigit() else default
