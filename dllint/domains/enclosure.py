"""Arrays of numbers that are known but for rounding: each element lies between two numbers.

Sums, products and quotients are rounded by IEEE 754, so that those of exact numbers are exact again; functions
(roots, too) and long sums differ from library to library by a few units in the last place, and keep that distance. Whole
numbers and truths (0 and 1) are elements like others, in a format of their own (``None``), and never rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np

from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Bound, Interval

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Truths = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
#: The format of results: ``None`` for whole numbers.
Format = FloatFormat | None
#: Beyond this number not every whole number is a double.
_WHOLE: Final = 2.0**53
#: Units in the last place by which functions of libraries are off at most.
_UNITS: Final = 4
#: Libraries add long rows up in blocks, so that no number is rounded more often than this.
_ROUNDED: Final = 1024


class UndeterminedError(Exception):
    """What a computation gives is not known, or is no number."""


@dataclass(frozen=True, slots=True, eq=False)
class Enclosure:
    """Elements between ``low`` and ``high``, two arrays of one shape."""

    low: Array
    high: Array

    def __post_init__(self) -> None:
        if np.isnan(self.low).any() or np.isnan(self.high).any():
            raise UndeterminedError("no number")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of both."""
        found: tuple[int, ...] = self.low.shape
        return found

    @property
    def exact(self) -> bool:
        """Whether every element is known."""
        return bool((self.low == self.high).all())

    @property
    def numbers(self) -> Array:
        """The elements. Raises UndeterminedError if they are not known."""
        if not self.exact:
            raise UndeterminedError("rounding decides")
        return self.low

    def arranged(self, arrange: Callable[[Array], Array]) -> Enclosure:
        """The elements in other places: ``arrange`` does not look at them."""
        return Enclosure(arrange(self.low), arrange(self.high))

    def interval(self) -> Interval:
        """One interval for all elements, which reach its ends."""
        if not self.low.size:
            raise UndeterminedError("no elements")
        zero = bool(((self.low <= 0) & (self.high >= 0)).any())
        low, high = float(self.low.min()), float(self.high.max())
        return Interval(Bound(low), Bound(high), low <= 0 <= high and not zero)


def exactly(values: object) -> Enclosure:
    """Numbers that are known."""
    array = np.asarray(values, dtype=np.float64)
    return Enclosure(array, array)


def rounded(x: Enclosure, fmt: Format) -> Enclosure:
    """The numbers of a format that are nearest; what is smaller than its normal numbers may become 0."""
    if fmt is None:
        return _whole(x)
    low, high = _nearest(x.low, fmt), _nearest(x.high, fmt)
    low = np.where((low > 0) & (low < fmt.smallest), 0.0, low)
    high = np.where((high < 0) & (high > -fmt.smallest), 0.0, high)
    return Enclosure(low, high)


def _nearest(values: Array, fmt: FloatFormat) -> Array:
    if fmt.name == "float64":
        return values
    if fmt.name != "float32":
        raise UndeterminedError(fmt.name)
    with np.errstate(all="ignore"):
        return values.astype(np.float32).astype(np.float64)


def _whole(x: Enclosure) -> Enclosure:
    if (np.abs(x.low) > _WHOLE).any() or (np.abs(x.high) > _WHOLE).any():
        raise UndeterminedError("whole numbers beyond those of doubles")
    return x


def approximate(x: Enclosure, fmt: Format, within: tuple[float, float] = (-np.inf, np.inf)) -> Enclosure:
    """What functions of libraries, off by a few units, give for these values (0 for 0). ``within`` limits the function."""
    found = rounded(x, fmt)
    if fmt is None:
        return found
    low, high = found.low - _slack(found.low, fmt), found.high + _slack(found.high, fmt)
    known = ((x.low == 0) & (x.high == 0), ~np.isfinite(found.low), ~np.isfinite(found.high))
    low, high = np.where(known[0] | known[1], found.low, low), np.where(known[0] | known[2], found.high, high)
    return rounded(Enclosure(np.maximum(low, within[0]), np.minimum(high, within[1])), fmt)


def _slack(values: Array, fmt: FloatFormat) -> Array:
    sizes = np.where(np.isfinite(values), np.abs(values), 0.0)
    return _UNITS * np.maximum(sizes * 2.0 ** (1 - fmt.precision), fmt.spacing)


def moved(x: Enclosure, error: Array | float, fmt: Format) -> Enclosure:
    """Results that a library computes with an error of up to ``error``."""
    return rounded(Enclosure(x.low - error, x.high + error), fmt)


def mapped(x: Enclosure, rising: Callable[[Array], Array]) -> Enclosure:
    """The values of a function that never falls, before they are rounded."""
    with np.errstate(all="ignore"):
        return Enclosure(rising(x.low), rising(x.high))


# --- arithmetic -----------------------------------------------------------------------------------------------------------


def add(x: Enclosure, y: Enclosure, fmt: Format) -> Enclosure:
    """``x + y``."""
    with np.errstate(all="ignore"):
        return rounded(Enclosure(x.low + y.low, x.high + y.high), fmt)


def sub(x: Enclosure, y: Enclosure, fmt: Format) -> Enclosure:
    """``x - y``."""
    return add(x, neg(y), fmt)


def neg(x: Enclosure) -> Enclosure:
    """``-x``."""
    return Enclosure(-x.high, -x.low)


def absolute(x: Enclosure) -> Enclosure:
    """``|x|``."""
    size_low, size_high = np.abs(x.low), np.abs(x.high)
    inner = np.where((x.low <= 0) & (x.high >= 0), 0.0, np.minimum(size_low, size_high))
    return Enclosure(inner, np.maximum(size_low, size_high))


def mul(x: Enclosure, y: Enclosure, fmt: Format) -> Enclosure:
    """``x * y``."""
    return rounded(corners(x, y, np.multiply), fmt)


def div(x: Enclosure, y: Enclosure, fmt: Format) -> Enclosure:
    """``x / y``. Raises UndeterminedError where the divisor may be 0."""
    if ((y.low <= 0) & (y.high >= 0)).any():
        raise UndeterminedError("a quotient by what may be 0")
    return rounded(corners(x, y, np.divide), fmt)


def corners(x: Enclosure, y: Enclosure, operation: Callable[[Array, Array], Array]) -> Enclosure:
    """An operation that is extreme where its operands are, before it is rounded."""
    with np.errstate(all="ignore"):
        if x.low is x.high and y.low is y.high:
            made = operation(x.low, y.low)
            return Enclosure(made, made)
        ends = [operation(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    return Enclosure(reduce(np.minimum, ends), reduce(np.maximum, ends))


def square(x: Enclosure, fmt: Format) -> Enclosure:
    """``x * x``."""
    size = absolute(x)
    return rounded(mapped(size, np.square), fmt)


def maximum(x: Enclosure, y: Enclosure) -> Enclosure:
    """The larger of two numbers."""
    return Enclosure(np.maximum(x.low, y.low), np.maximum(x.high, y.high))


def minimum(x: Enclosure, y: Enclosure) -> Enclosure:
    """The smaller of two numbers."""
    return Enclosure(np.minimum(x.low, y.low), np.minimum(x.high, y.high))


# --- truths ---------------------------------------------------------------------------------------------------------------


def less(x: Enclosure, y: Enclosure) -> Enclosure:
    """Where ``x < y``: 1, 0, or between them where rounding decides."""
    return Enclosure(_truth(x.high < y.low), _truth(x.low < y.high))


def equal(x: Enclosure, y: Enclosure) -> Enclosure:
    """Where ``x == y``."""
    certain = (x.low == x.high) & (y.low == y.high) & (x.low == y.low)
    return Enclosure(_truth(certain), _truth((x.low <= y.high) & (y.low <= x.high)))


def inverted(truth: Enclosure) -> Enclosure:
    """Where it does not hold."""
    return Enclosure(1 - truth.high, 1 - truth.low)


def truth_of(x: Enclosure) -> Enclosure:
    """Where numbers are not 0."""
    return inverted(equal(x, exactly(0.0)))


def chosen(truth: Enclosure, x: Enclosure, y: Enclosure) -> Enclosure:
    """``x`` where a condition holds and ``y`` where it does not; either where rounding decides."""
    surely, surely_not = truth.low == 1, truth.high == 0
    low = np.where(surely, x.low, np.where(surely_not, y.low, np.minimum(x.low, y.low)))
    high = np.where(surely, x.high, np.where(surely_not, y.high, np.maximum(x.high, y.high)))
    return Enclosure(low, high)


def _truth(condition: object) -> Array:
    return np.asarray(condition, dtype=np.float64)


# --- sums -----------------------------------------------------------------------------------------------------------------


def total(x: Enclosure, axes: tuple[int, ...], keep: bool, fmt: Format) -> Enclosure:
    """Sums along axes, in whatever order a library adds them up."""
    with np.errstate(all="ignore"):
        found = Enclosure(x.low.sum(axis=axes, keepdims=keep), x.high.sum(axis=axes, keepdims=keep))
        size = np.maximum(np.abs(x.low), np.abs(x.high)).sum(axis=axes, keepdims=keep)
    count = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
    return moved(found, np.where(_adds_exactly(x, size, fmt), 0.0, size * roundoff(count, fmt)), fmt)


def roundoff(count: int, fmt: Format) -> float:
    """The error of a sum relative to the sum of the sizes: of the library's, and of this one's."""
    return 0.0 if fmt is None or count <= 1 else min(count, _ROUNDED) * (2.0**-fmt.precision + 2.0**-53)


def _adds_exactly(x: Enclosure, size: Array, fmt: Format) -> Truths:
    """Where partial sums are whole numbers that the format has, whatever the order."""
    whole = x.exact and bool((x.low == np.round(x.low)).all())
    return np.asarray((size == 0) | (whole & (size < 2.0 ** (53 if fmt is None else fmt.precision))), dtype=bool)


def hull(parts: Iterable[Enclosure]) -> Enclosure:
    """What holds one of several arrays of one shape."""
    return reduce(lambda a, b: Enclosure(np.minimum(a.low, b.low), np.maximum(a.high, b.high)), parts)
