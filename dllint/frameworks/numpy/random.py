"""Rows of ``numpy.random``: module functions, ``RandomState`` and ``default_rng`` generators."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

#: Function → canonical creation; the shape stands in ``size`` or in the positional sizes.
SIZED: Final = ("normal", "uniform", "standard_normal", "random", "random_sample", "ranf", "sample", "exponential", "gamma",
"beta",
                "laplace", "lognormal", "poisson", "binomial", "logistic", "chisquare")  # fmt: skip
#: Of the above, those whose values are integers.
INTEGER: Final = frozenset({"poisson", "binomial"})
HOMES: Final = ("numpy.random", "numpy.random.RandomState", "numpy.random.Generator")

ROWS: Final[tuple[FunctionRow, ...]] = tuple(
    row
    for home in HOMES
    for row in (
        FunctionRow(f"{home}.rand", "rand", "numpy", params="*shape"),
        FunctionRow(f"{home}.randn", "randn", "numpy", params="*shape"),
        FunctionRow(
            f"{home}.randint", "randint", "numpy", {"size": "shape"}, params="low, high=None, size=None, dtype='int64'"
        ),
        FunctionRow(
            f"{home}.integers", "randint", "numpy", {"size": "shape"}, params="low, high=None, size=None, dtype='int64'"
        ),
        FunctionRow(f"{home}.permutation", "randperm", "numpy", params="n"),
    )
)
