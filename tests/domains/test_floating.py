"""Rounding of any number of Python's to a format."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dllint.domains.floating import BINARY16, BINARY32, BINARY64, BRAIN16

FORMATS = (BINARY64, BINARY32, BINARY16, BRAIN16)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
@pytest.mark.parametrize("digits", [5, 39, 40, 50, 308, 309, 400, 5000])
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_of_any_size(fmt, digits, sign):
    value = sign * (10**digits + 1)
    rounded = fmt.round(value)
    assert rounded == (sign * math.inf if digits > math.log10(fmt.largest) else fmt.round(float(value)))


@pytest.mark.parametrize("value", [0, 1, -3, 0.1, 1 / 3, 1e-40, 65519.9, 65520.0, 3.4e38, 3.5e38, math.inf, -math.inf])
def test_numbers_are_rounded_as_numpy_does(value):
    with np.errstate(over="ignore", under="ignore"):
        assert BINARY32.round(value) == float(np.float32(value))
        assert BINARY16.round(value) == float(np.float16(value))


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_every_exponent_and_the_numbers_beside_it(fmt):
    """No number of double precision is beyond what a step up, a step down and a rounding take; each keeps its side."""
    for exponent in range(-1074, 1024):
        for value in (math.ldexp(1.0, exponent), math.nextafter(math.ldexp(1.0, exponent), 0), math.ldexp(1.999, exponent)):
            for number in (value, -value):
                assert fmt.below(number) <= fmt.round(number) <= fmt.above(number)
    for number in (math.nextafter(math.inf, 0), -math.nextafter(math.inf, 0)):
        assert fmt.below(number) <= fmt.round(number) <= fmt.above(number)
