"""Statistics by Keras's own operations, computed on the tensors' device and read together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from dllint.diagnose.probes.tensor_numbers import MOST_ELEMENTS, numbers_of, thinned

Array = np.ndarray[Any, np.dtype[Any]]


class Readout:
    """Numbers that are to be brought to the host together. Numbers that are there already just wait with the others."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Any, int, Callable[[list[float]], None]]] = []

    def ask(self, numbers: Sequence[Any], tell: Callable[[list[float]], None]) -> None:
        """Have ``tell`` called with the values of some scalars at the next :meth:`flush`."""
        known = all(isinstance(number, int | float) for number in numbers)
        vector = [*numbers] if known else ops.stack([ops.cast(number, "float32") for number in numbers])
        self._waiting.append((vector, len(numbers), tell))

    def flush(self) -> None:
        """Read everything."""
        waiting, self._waiting = self._waiting, []
        vectors = [vector for vector, _, _ in waiting if not isinstance(vector, list)]
        values = ops.convert_to_numpy(ops.concatenate(vectors)).tolist() if vectors else []
        at = 0
        for vector, count, tell in waiting:
            if isinstance(vector, list):
                tell(vector)
            else:
                tell(values[at : at + count])
                at += count


def is_on_host(tensor: Any) -> bool:
    """Whether a tensor's numbers can be had without waiting for a device."""
    if keras.backend.backend() == "torch":
        return bool(tensor.device.type == "cpu")
    if keras.backend.backend() == "jax":
        return all(device.platform == "cpu" for device in tensor.devices())
    return keras.backend.backend() == "tensorflow" and "CPU" in str(tensor.device)


def summable(tensor: Any) -> Any:
    """A tensor in a type in which numbers can be summed."""
    return tensor if ops.is_tensor(tensor) and str(ops.dtype(tensor)) == "float32" else ops.cast(tensor, "float32")


def stats_numbers(tensor: Any) -> list[Any]:
    """The seven numbers that ``stats_of`` takes, computed where the tensor is."""
    if is_on_host(tensor):
        return numbers_of(thinned(host_array(tensor)))
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


def norm(tensor: Any) -> Any:
    """The Euclidean norm."""
    return _host_norm(host_array(tensor)) if is_on_host(tensor) else ops.sqrt(ops.sum(ops.square(summable(tensor))))


def change(after: Any, before: Any) -> Any:
    """The norm of a change: 0 only where nothing has changed, although the squares of tiny changes underflow."""
    if is_on_host(after):
        return _host_norm(host_array(after) - host_array(before))
    difference = summable(after) - summable(before)
    size = norm(difference)
    return ops.where(ops.equal(size, 0.0), ops.max(ops.abs(difference)), size)


def _host_norm(array: Array) -> float:
    """Squares of large and of tiny numbers are taken with more digits."""
    size = float(np.linalg.norm(array.reshape(-1)))
    return size if 0.0 < size < math.inf else float(np.linalg.norm(array.reshape(-1).astype(np.float64)))


def host_array(tensor: Any) -> Array:
    """The contents of a tensor."""
    return np.asarray(ops.convert_to_numpy(tensor))
