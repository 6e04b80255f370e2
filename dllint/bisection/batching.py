"""A model whose batch size was fixed by its export, fed with any number of samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dllint.bisection.protocols import Arrays


def in_batches(run: Callable[[Arrays], dict[str, np.ndarray]], arrays: Arrays, batch: int | None) -> dict[str, np.ndarray]:
    """Call ``run`` on pieces of exactly ``batch`` samples and join what it gives; the last piece is filled up.
    Where the batch is free (``None``), everything is run at once.

    An array of k rows per sample is cut into k·batch rows. Arrays without rows are handed on as they are.
    """
    if batch is None:
        return run(arrays)
    samples = min((len(array) for array in arrays.values() if array.ndim), default=batch)
    pieces = [run(_piece(arrays, start, batch, samples)) for start in range(0, samples, batch)]
    return {name: _joined([piece[name] for piece in pieces], batch, samples) for name in pieces[0]}


def _piece(arrays: Arrays, start: int, batch: int, samples: int) -> dict[str, np.ndarray]:
    found = {}
    for name, array in arrays.items():
        rows = len(array) // samples if array.ndim else 0
        piece = array[start * rows : (start + batch) * rows] if rows else array
        missing = batch * rows - len(piece) if rows else 0
        found[name] = np.concatenate([piece, piece[-1:].repeat(missing, axis=0)]) if missing else piece
    return found


def _joined(pieces: list[np.ndarray], batch: int, samples: int) -> np.ndarray:
    first = pieces[0]
    if not first.ndim or len(first) % batch:
        return first
    return np.concatenate(pieces)[: len(first) // batch * samples]
