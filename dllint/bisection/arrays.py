"""Values of any framework as numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def several(value: Any) -> Sequence[Any]:
    """A tuple, list or dict of values as a row, a single one as a row of one."""
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, tuple | list) else [value]


def as_array(value: Any) -> np.ndarray:
    """A tensor of any framework, or a number, as an array on the CPU."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":  # numpy has no such type
            value = value.float()
    return np.asarray(value.numpy() if hasattr(value, "numpy") else value)
