"""From the numbers that probes compute where the tensors are to records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

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


def stats_of_array(array: np.ndarray[Any, Any]) -> TensorStats:
    """The statistics of numbers that are on the host."""
    return stats_of(numbers_of(array))


def thinned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements in a row; of a large array a regular part of them."""
    flat = array.reshape(-1)
    return flat[:: flat.size // MOST_ELEMENTS + 1] if flat.size > MOST_ELEMENTS else flat


def numbers_of(array: np.ndarray[Any, Any]) -> list[float]:
    """The arguments of :func:`stats_of` for numbers that are on the host."""
    finite = array[np.isfinite(array)].astype(np.float64) if array.dtype.kind in "fV" else array.astype(np.float64)
    if not finite.size:
        return [array.size, 0, math.nan, math.nan, math.inf, -math.inf, 0]
    numbers = [float(finite.mean()), float(finite.var()), float(finite.min()), float(finite.max())]
    return [array.size, finite.size, *numbers, int((array == 0).sum())]
