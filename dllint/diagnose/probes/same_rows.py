"""Samples of one set of arrays that are in another one, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]

#: Samples that are looked for, elements by which a sample is found, and samples among which it is.
_MOST_SOUGHT: Final = 2000
_MOST_ELEMENTS: Final = 64
_MOST_SAMPLES: Final = 200_000
#: Samples of which more than a tenth are equal come from a few values, and say nothing by being equal to others.
_DISTINCT: Final = 0.9


def shared_rows(trained: Sequence[Array], held: Sequence[Array]) -> tuple[int, int]:
    """How many samples of ``held`` were looked for, and how many of them are in ``trained``: equal in all arrays, say inputs
    and targets. Nothing is looked for where arrays differ in kind, or samples are equal by chance."""
    alike = len(trained) == len(held) and all(
        a.dtype == b.dtype and a.dtype.kind in "fiub" and a.shape[1:] == b.shape[1:] for a, b in zip(trained, held, strict=True)
    )
    if not alike or not trained or not _is_even(trained) or not _is_even(held):
        return 0, 0
    sought = [array[:: -(-len(array) // _MOST_SOUGHT)] for array in held]
    among = [array[:_MOST_SAMPLES] for array in trained]
    wanted, known = _keys(sought), _keys(among)
    where = {key: at for at, key in enumerate(known)}
    if len(where) < _DISTINCT * len(known) or len(set(wanted)) < _DISTINCT * len(wanted):
        return 0, 0
    found = [(row, where[key]) for row, key in enumerate(wanted) if key in where]
    shared = sum(all(np.array_equal(a[row], b[at]) for a, b in zip(sought, among, strict=True)) for row, at in found)
    return len(wanted), shared


def _is_even(arrays: Sequence[Array]) -> bool:
    """Whether all have as many samples, and some."""
    return all(array.ndim and len(array) for array in arrays) and len({len(array) for array in arrays}) == 1


def _keys(arrays: Sequence[Array]) -> list[bytes]:
    """A key of each sample, of elements that lie evenly in it."""
    flat = [array.reshape(len(array), -1) for array in arrays]
    thin = [np.ascontiguousarray(rows[:, :: max(1, rows.shape[1] // _MOST_ELEMENTS)]) for rows in flat]
    return [b"".join(row.tobytes() for row in rows) for rows in zip(*thin, strict=True)]
