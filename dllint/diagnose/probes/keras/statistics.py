"""Statistics in Keras's own operations, computed where the tensors are, and read all at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from keras import ops

from dllint.diagnose.probes.tensor_numbers import MOST_ELEMENTS, stats_of
from dllint.diagnose.records import TensorStats


class Readout:
    """Vectors of numbers that are to be brought to the host together."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Any, int, Callable[[list[float]], None]]] = []

    def ask(self, numbers: Sequence[Any], tell: Callable[[list[float]], None]) -> None:
        """Have ``tell`` called with the values of some scalars at the next :meth:`flush`."""
        vector = ops.stack([ops.cast(number, "float32") for number in numbers])
        self._waiting.append((vector, len(numbers), tell))

    def flush(self) -> None:
        """Read everything."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        values = ops.convert_to_numpy(ops.concatenate([vector for vector, _, _ in waiting])).tolist()
        at = 0
        for _, count, tell in waiting:
            tell(values[at : at + count])
            at += count


def summable(tensor: Any) -> Any:
    """A tensor in a type in which numbers can be summed."""
    return tensor if ops.is_tensor(tensor) and str(ops.dtype(tensor)) == "float32" else ops.cast(tensor, "float32")


def stats_numbers(tensor: Any) -> list[Any]:
    """The seven numbers that ``stats_of`` takes."""
    flat = ops.reshape(summable(tensor), (-1,))
    size = math.prod(flat.shape)
    if size > MOST_ELEMENTS:
        flat = flat[:: size // MOST_ELEMENTS + 1]
    finite = ops.isfinite(flat)
    zero, infinity = ops.zeros_like(flat), ops.full_like(flat, math.inf)
    count = ops.sum(ops.cast(finite, "float32"))
    mean = ops.sum(ops.where(finite, flat, zero)) / count
    spread = ops.sum(ops.where(finite, ops.square(flat - mean), zero)) / count
    low, high = ops.min(ops.where(finite, flat, infinity)), ops.max(ops.where(finite, flat, -infinity))
    return [math.prod(flat.shape), count, mean, spread, low, high, ops.sum(ops.cast(ops.equal(flat, 0.0), "float32"))]


def read_stats(tensor: Any) -> TensorStats:
    """The statistics of one tensor, at once."""
    return stats_of(ops.convert_to_numpy(ops.stack([ops.cast(n, "float32") for n in stats_numbers(tensor)])).tolist())


def norm(tensor: Any) -> Any:
    """The Euclidean norm."""
    return ops.sqrt(ops.sum(ops.square(summable(tensor))))


def change(after: Any, before: Any) -> Any:
    """The norm of a change: 0 only where nothing has changed, although the squares of tiny changes underflow."""
    difference = summable(after) - summable(before)
    size = norm(difference)
    return ops.where(ops.equal(size, 0.0), ops.max(ops.abs(difference)), size)


def host_array(tensor: Any) -> np.ndarray[Any, Any]:
    """The contents of a tensor."""
    return np.asarray(ops.convert_to_numpy(tensor))
