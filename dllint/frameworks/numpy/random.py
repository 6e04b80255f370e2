"""Rows of ``numpy.random``: module functions, ``RandomState`` and ``default_rng`` generators."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow
from dllint.ir.values import Value

#: Function → canonical creation; the shape stands in ``size`` or in the positional sizes.
SIZED: Final = ("normal", "uniform", "standard_normal", "random", "random_sample", "ranf", "sample", "exponential", "gamma",
"beta",
                "laplace", "lognormal", "poisson", "binomial", "logistic", "chisquare")  # fmt: skip
#: Of the above, those whose values are integers.
INTEGER: Final = frozenset({"poisson", "binomial"})
HOMES: Final = ("numpy.random", "numpy.random.RandomState", "numpy.random.Generator")

#: How many deviations normal numbers may be away from their mean.
_DEVIATIONS: Final = 9.0
_UNIT: Final = frozenset({"random", "random_sample", "ranf", "sample", "beta"})


def limits(name: str, first: Value, second: Value) -> tuple[float | None, float | None]:
    """The least and largest number that a function draws, ``None`` where there is no limit or it is not known; ``first`` and
    ``second`` are the parameters of its distribution."""
    if name in _UNIT:
        return 0.0, 1.0
    if name in INTEGER:
        return 0.0, None
    if name == "standard_normal":
        return -_DEVIATIONS, _DEVIATIONS
    if not isinstance(first, (int, float)) or not isinstance(second, (int, float)):
        return None, None
    if name == "uniform":
        return min(first, second), max(first, second)
    return (first - _DEVIATIONS * second, first + _DEVIATIONS * second) if name == "normal" else (None, None)


#: The parameters of whole random numbers; ``endpoint`` is one of generators.
WHOLE: Final = "low, high=None, size=None, dtype='int64', endpoint=False"

ROWS: Final[tuple[FunctionRow, ...]] = tuple(
    FunctionRow(f"{home}.permutation", "randperm", "numpy", {"x": "n"}, params="x, axis=0") for home in HOMES
)
