"""Indices that numpy understands, by which elements are taken and replaced."""

from __future__ import annotations

from typing import cast

import numpy as np

from dllint.domains.enclosure import Array, Enclosure, UndeterminedError
from dllint.ir.values import Value

Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def positions(index: Value) -> Places:
    """Whole numbers that count elements from the start."""
    if isinstance(index, int):
        return np.asarray(index, dtype=np.int64)
    if not isinstance(index, Enclosure):
        raise UndeterminedError("index")
    return index.numbers.astype(np.int64)


def taken(values: Array, index: object) -> Array:
    """The elements that an index takes: numbers, slices, arrays of either kind, and tuples of them."""
    return np.asarray(values[cast("int", index)])


def replaced(values: Array, index: object, others: Array) -> Array:
    """The elements with others where an index takes them."""
    out = values.copy()
    out[cast("int", index)] = others
    return out
