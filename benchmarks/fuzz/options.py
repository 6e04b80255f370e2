"""What all fuzzers are told."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Options:
    """``count`` is what the subject counts; ``peers`` holds public checkouts, if there are any; ``end`` is when no
    more is begun, by the monotonic clock."""

    count: int
    seed: int = 0
    peers: Path | None = None
    jobs: int = 1
    end: float = math.inf

    @property
    def is_over(self) -> bool:
        """Whether no more is to be begun."""
        return time.monotonic() > self.end

    def timely(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items that are begun before the end."""
        for item in items:
            if self.is_over:
                return
            yield item
