"""Arrays whose length the data decide: element types and sizes as far as they are known, against numpy."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from tests.lower.tracing import values

HEAD: Final = """
import numpy as np
a = np.arange(15, dtype=np.float32).reshape(5, 3)
row = np.arange(5.0)
i = np.arange(6)
"""
CALLS: Final = (
    "np.frombuffer(b'abcdefgh', dtype=np.uint8)",
    "np.frombuffer(b'abcdefgh', np.float32, 2)",
    "np.frombuffer(b'abcdefgh')",
    "np.fromiter((k for k in range(4)), dtype=np.float32)",
    "np.fromiter(range(4), np.int64, count=4)",
    "np.intersect1d(i, i)",
    "np.setdiff1d(i, row)",
    "np.union1d(row, row)",
    "np.polyfit(row, row, 2)",
    "np.linalg.lstsq(a, row, rcond=None)[0]",
    "np.linalg.lstsq(a, a, rcond=None)[0]",
    "np.linalg.lstsq(a, row, rcond=None)[3]",
    "np.inner(a, a)",
    "np.inner(row, row)",
    "np.partition(a, 1)",
    "np.argpartition(a, 1, axis=0)",
    "np.argpartition(i, -2)[-2:]",
    "np.nanmedian(a, axis=0)",
    "np.nanprod(a)",
)


def _agrees(known: Value, real: np.ndarray | np.generic) -> bool:
    """Whether what is known of an array is so."""
    assert isinstance(known, TensorVal)
    if isinstance(known.shape, Unknown) or len(known.shape) != real.ndim:
        return False
    sizes = all(not isinstance(size, int) or size == given for size, given in zip(known.shape, real.shape, strict=True))
    return sizes and (isinstance(known.dtype, Unknown) or str(known.dtype) == real.dtype.name)


@pytest.mark.parametrize("call", CALLS)
def test_what_is_known_is_so(call: str) -> None:
    names: dict[str, np.ndarray] = {}
    exec(f"{HEAD}y = {call}\n", names)
    assert _agrees(values(f"{HEAD}y = {call}\n")["y"], np.asarray(names["y"]))
