"""Columns of inputs that are the targets themselves."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]

_LEAST_SAMPLES: Final = 16
_MOST_NUMBERS: Final = 1 << 22
#: A column is the target up to scale and offset if what is left of it is no more than the rounding of float32.
_ROUNDING: Final = 1e-9


def revealing_columns(inputs: Array, targets: Array) -> tuple[int, ...]:
    """The columns of a batch of rows that are the targets, up to a scale and an offset; empty for other inputs and targets."""
    targets = targets.reshape(-1) if targets.ndim == 2 and targets.shape[1] == 1 else targets
    fitting = inputs.ndim == 2 and targets.ndim == 1 and len(inputs) == len(targets) >= _LEAST_SAMPLES
    if not fitting or inputs.size > _MOST_NUMBERS or targets.dtype.kind not in "fiub" or inputs.dtype.kind != "f":
        return ()
    wanted, rows = _centred(targets[:, None]), _centred(inputs)
    spread, own = (wanted**2).sum(), (rows**2).sum(axis=0)
    if not np.isfinite(spread) or not spread:
        return ()
    with np.errstate(divide="ignore", invalid="ignore"):
        left = 1 - (rows * wanted).sum(axis=0) ** 2 / (own * spread)
    return tuple(int(at) for at in np.flatnonzero(left < _ROUNDING))


def _centred(rows: Array) -> Array:
    exact: Array = rows.astype(np.float64)
    return np.asarray(exact - exact.mean(axis=0))
