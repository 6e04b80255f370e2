"""Grids of places and rows of numbers: sizes and types, against numpy."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from tests.lower.tracing import values

CALLS: Final = (
    "np.mgrid[0:3, 0:4]", "np.mgrid[:3]", "np.mgrid[-1:1:5j, 0:4]", "np.mgrid[0:1:0.25]", "np.mgrid[2:9:3, 1:5, 0:2]",
    "np.mgrid[0:n, 0:m]", "np.mgrid[0:0]", "np.mgrid[3:1]", "np.ogrid[0:3, 0:4]", "np.ogrid[-1:1:5j]", "np.ogrid[0:n]",
    "np.indices((3, 4))", "np.indices((3,), dtype=np.float32)", "np.indices((3, 4), sparse=True)",
    "np.ix_([0, 2], [1, 3, 0])", "np.ix_(np.arange(3))", "np.tri(3)", "np.tri(3, 5, dtype=bool)", "np.tri(n, m)",
    "np.logspace(0, 2, 10)", "np.logspace(0, 1)", "np.geomspace(1, 100, num=n)", "np.logspace(0, 2, 4, dtype=np.float32)",
    "np.mgrid[0:3, 0:4].reshape(2, -1).T", "a[np.ix_([0, 2], [1, 3])]",
)  # fmt: skip
HEAD: Final = "import numpy as np\nn, m = 5, 6\na = np.zeros((4, 4))\n"


def _agrees(known: Value, real: object) -> bool:
    """Whether an array has the shape that is known and, as far as that is known, the type; so the arrays of a tuple."""
    if isinstance(real, (tuple, list)):
        assert isinstance(known, tuple)
        return len(known) == len(real) and all(map(_agrees, known, real))
    assert isinstance(known, TensorVal)
    assert isinstance(real, np.ndarray)
    return known.shape == real.shape and (isinstance(known.dtype, Unknown) or str(known.dtype) == real.dtype.name)


@pytest.mark.parametrize("call", CALLS)
def test_what_is_known_is_so(call: str) -> None:
    names: dict[str, object] = {}
    exec(f"{HEAD}y = {call}\n", names)
    assert _agrees(values(f"{HEAD}y = {call}\n")["y"], names["y"])


@pytest.mark.parametrize("size", ["x.shape[0]", "int(input())"])
def test_sizes_that_are_not_known_are_symbols(size: str) -> None:
    known = values(f"import numpy as np\ndef f(x):\n    global y\n    y = np.mgrid[0:{size}, 0:4]\nf(np.load('a.npy'))\n")["y"]
    assert isinstance(known, TensorVal)
    assert isinstance(known.shape, tuple)
    assert (known.shape[0], known.shape[2]) == (2, 4)
