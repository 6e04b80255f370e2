"""Bounds for tests: around measured values, or where values of a sound model lie."""

from __future__ import annotations

import math
from typing import Final

from dllint.diagnose.expectations.observed import Values

#: Inputs of this size are not normalised (as ``symptoms.input_scale`` judges).
UNSCALED: Final = 10.0
#: Of a faulty run, standard deviations are expected between these bounds (own).
_LEAST_STD: Final = 1e-3
_MOST_STD: Final = 10.0
_MOST_ZEROS: Final = 0.9
#: So few numbers may be alike by chance (own).
_FEW: Final = 16
_DIGITS: Final = 2


def outwards(number: float, *, up: bool) -> float:
    """A number rounded to two digits, upwards (``up``) or downwards."""
    if not number or not math.isfinite(number):
        return number
    place = _DIGITS - 1 - math.floor(math.log10(abs(number)))
    scaled = number * 10.0**place
    rounded = math.ceil(scaled - 1e-9) if up else math.floor(scaled + 1e-9)
    return float(f"{rounded / 10.0**place:.{_DIGITS}g}")


def interval(least: float, most: float) -> tuple[float, float]:
    """Both, rounded outwards."""
    return outwards(least, up=False), outwards(most, up=True)


def of_range(least: float, most: float) -> tuple[float, float]:
    """Where the numbers of other batches of the same data are expected: half of the range more on each side."""
    margin = (most - least) / 2 or max(abs(most), 1.0) / 2
    return interval(least - margin, most + margin)


def of_std(values: Values, *, is_faulty: bool) -> tuple[float, float]:
    """For the standard deviation of a layer's numbers; the fewer of them, the more it depends on chance."""
    factor = 3 * (1 + _chance(values.features)) * (1 + _chance(values.samples) / 2)
    least, most = interval(values.std / factor, values.std * factor)
    if is_few(values):
        least, most = 0.0, outwards(10 * most, up=True)
    if is_faulty:
        least, most = min(max(least, _LEAST_STD), _MOST_STD / 2), max(min(most, _MOST_STD), _LEAST_STD * 2)
    return least, most


def of_mean(values: Values, *, is_faulty: bool) -> tuple[float, float]:
    """For the mean of a layer's numbers."""
    if is_faulty and abs(values.mean) > UNSCALED:
        return -UNSCALED, UNSCALED
    margin = values.std * (1 + _chance(values.features) + _chance(values.samples)) + 0.01
    return interval(values.mean - margin, values.mean + margin)


def is_few(values: Values) -> bool:
    """Whether there are too few numbers for a meaningful mean."""
    return values.features * values.samples < _FEW


def _chance(count: int) -> float:
    """Twice the standard error of a mean over so many numbers, as a share of their deviation."""
    return 2 / math.sqrt(max(count, 1))


def of_zeros(share: float, *, is_faulty: bool) -> float:
    """The greatest share of zeros."""
    most = max(0.75, share + (1 - share) / 2)
    return round(min(most, _MOST_ZEROS) if is_faulty else most, 2)
