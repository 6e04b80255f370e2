"""From the numbers that probes compute where the tensors are to records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from dllint.diagnose.records import TensorStats

#: Of larger tensors a regular part of the elements is looked at.
MOST_ELEMENTS: Final = 1 << 18


def stats_of(numbers: Sequence[float]) -> TensorStats:
    """The record of count, finite elements, mean, variance, minimum, maximum (of the finite ones) and number of zeros."""
    count, finite, mean, spread, low, high, zeros = numbers
    total = max(count, 1.0)
    return TensorStats(
        int(count), finite / total, mean, math.sqrt(spread) if spread >= 0 else math.nan, low, high, zeros / total
    )
