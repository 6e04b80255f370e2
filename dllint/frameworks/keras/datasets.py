"""``keras.datasets``: shapes, element types and classes of the arrays ``load_data`` returns, by its options.

Sources: the docstrings and the code of ``keras.datasets`` (3.15) and the arrays themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from dllint.domains.dtype import FLOAT64, INT64, UINT8, DType


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that says which arrays are loaded: its name and place, and by value what is loaded, the default first."""

    name: str
    position: int
    sets: Mapping[str, Dataset]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One dataset: rows for training and test, shapes of one sample and its label, types, ``classes`` (0 if labels are no
    classes, or more than one number of classes is possible).

    ``split`` is the place of ``test_split``, the share of all rows that are for the test (0.2); 0 if the parts are fixed.
    ``words`` is one more than the largest number of a word, and 0 if the samples are no texts. Texts are object arrays of
    integer lists: only their length is known."""

    rows: tuple[int, int]
    x: tuple[int, ...]
    y: tuple[int, ...] = ()
    x_dtype: DType = UINT8
    y_dtype: DType = UINT8
    classes: int = 10
    split: int = 0
    words: int = 0
    choice: Choice | None = None


_CIFAR100: Final = Dataset((50000, 10000), (32, 32, 3), (1,), y_dtype=INT64, classes=100)
_HOUSES: Final = Dataset((16512, 4128), (8,), (), FLOAT64, FLOAT64, 0, split=2)
_LABEL_MODE: Final = Choice("label_mode", 0, {"fine": _CIFAR100, "coarse": replace(_CIFAR100, classes=20)})
_VERSION: Final = Choice("version", 0, {"large": _HOUSES, "small": replace(_HOUSES, rows=(480, 120))})

DATASETS: Final = {
    "mnist": Dataset((60000, 10000), (28, 28)),
    "fashion_mnist": Dataset((60000, 10000), (28, 28)),
    "cifar10": Dataset((50000, 10000), (32, 32, 3), (1,)),
    "cifar100": replace(_CIFAR100, choice=_LABEL_MODE),
    "imdb": Dataset((25000, 25000), (), (), INT64, INT64, 2, words=88588),
    "reuters": Dataset((8982, 2246), (), (), INT64, INT64, 46, split=4, words=30983),
    "boston_housing": Dataset((404, 102), (13,), (), FLOAT64, FLOAT64, 0, split=1),
    "california_housing": replace(_HOUSES, choice=_VERSION),
}
