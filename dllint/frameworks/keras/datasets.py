"""``keras.datasets``: shapes, element types and classes of the arrays ``load_data`` returns.

Sources: the docstrings of ``keras.datasets`` (3.15) and the arrays themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.domains.dtype import FLOAT64, INT64, UINT8, DType


@dataclass(frozen=True, slots=True)
class Dataset:
    """One dataset: shapes of one training array and its labels, test rows, types, ``classes`` (0 for regression).

    ``ragged`` datasets are object arrays of integer lists: only their length is known."""

    x: tuple[int, ...]
    y: tuple[int, ...]
    test: int
    x_dtype: DType = UINT8
    y_dtype: DType = UINT8
    classes: int = 10
    ragged: bool = False


DATASETS: Final = {
    "mnist": Dataset((60000, 28, 28), (60000,), 10000),
    "fashion_mnist": Dataset((60000, 28, 28), (60000,), 10000),
    "cifar10": Dataset((50000, 32, 32, 3), (50000, 1), 10000),
    "cifar100": Dataset((50000, 32, 32, 3), (50000, 1), 10000, y_dtype=INT64, classes=100),
    "imdb": Dataset((25000,), (25000,), 25000, INT64, INT64, 2, True),
    "reuters": Dataset((8982,), (8982,), 2246, INT64, INT64, 46, True),
    "boston_housing": Dataset((404, 13), (404,), 102, FLOAT64, FLOAT64, 0),
    "california_housing": Dataset((16512, 8), (16512,), 4128, FLOAT64, FLOAT64, 0),
}
