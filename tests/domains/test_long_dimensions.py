"""Dimensions that grow with every step stay short, and what is claimed of them stays true."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import repeat
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dllint.domains.dim import (
    HEAVIEST,
    Dim,
    add,
    bounds,
    differs,
    floordiv,
    maximum,
    minimum,
    mod,
    mul,
    same,
    show,
    symbol,
    symbols,
    weight,
)
from dllint.domains.substitution import solve, substitute

Step = Callable[[Dim, Dim, int], tuple[Dim, Dim]]
STEPS: Final[dict[str, Step]] = {
    "a*b + i, a + b*2": lambda a, b, i: (add(mul(a, b), i), add(a, mul(b, 2))),
    "a*a + 1, a*b": lambda a, b, i: (add(mul(a, a), 1), mul(a, b)),
    "a*a, b*b": lambda a, b, i: (mul(a, a), mul(b, b)),
    "max + 1, min*2": lambda a, b, i: (add(maximum(a, b), 1), mul(minimum(a, b), 2)),
    "(a+b)//3 + 1, a//2 + a*b": lambda a, b, i: (add(floordiv(add(a, b), 3), 1), add(floordiv(a, 2), mul(a, b))),
    "(a+b) % 3 + a, a*b % 2 + b": lambda a, b, i: (add(mod(add(a, b), 3), a), add(mod(mul(a, b), 2), b)),
    "a // b + a, b + a % b": lambda a, b, i: (add(floordiv(a, b), a), add(b, mod(a, b))),
    "a*10**40, b + a": lambda a, b, i: (mul(a, 10**40), add(a, b)),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_what_grows_stays_short(step: Step) -> None:
    a, b = symbol("a", lower=2), symbol("b", lower=2, upper=9)
    grown: tuple[Dim, Dim] = (a, b)
    began = time.process_time()
    for number in range(200):
        grown = step(*grown, number)
        assert all(weight(dim) <= HEAVIEST for dim in grown)
    for dim in grown:
        assert len(show(dim)) < 40 * HEAVIEST
        assert len(symbols(dim)) <= HEAVIEST
        substitute(dim, dict.fromkeys(symbols(dim), 3))
        solve(dim, 7, next(iter(symbols(dim))))
    assert time.process_time() - began < 60  # seconds; without a bound it does not end


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@given(x=st.integers(2, 9), y=st.integers(2, 9), times=st.integers(1, 14))
def test_bounds_hold_of_what_grows(step: Step, x: int, y: int, times: int) -> None:
    low, high = symbol("a", lower=2, upper=9), symbol("b", lower=2, upper=9)
    grown: tuple[Dim, Dim] = (low, high)
    numbers: tuple[Dim, Dim] = (x, y)
    for number in range(times):
        grown, numbers = step(*grown, number), step(*numbers, number)
        if any(isinstance(value, int) and value.bit_length() > 5000 for value in numbers):
            break
    for dim, value in zip(grown, numbers, strict=True):
        least, most = bounds(dim)
        assert isinstance(value, int)
        assert least is None or least <= value
        assert most is None or value <= most


@pytest.mark.parametrize("count", [HEAVIEST, 3 * HEAVIEST])
def test_the_same_long_number_is_the_same_symbol(count: int) -> None:
    parts = [symbol(f"s{number}") for number in range(count)]
    one: Dim = 0
    other: Dim = 0
    for part, back in zip(parts, reversed(parts), strict=True):
        one, other = add(one, part), add(other, back)
    long = mul(one, parts[0])
    assert weight(one) <= HEAVIEST
    assert same(mul(one, parts[0]), long)
    assert not differs(one, other)


def test_a_long_product_is_the_same_from_either_side() -> None:
    left, right = (total_of(f"{name}{number}" for number in range(40)) for name in "ab")
    assert mul(left, right) is mul(right, left)
    assert bounds(mul(left, right)) == (1600, None)


def test_what_models_need_is_exact() -> None:
    a, b, c, d = (symbol(name) for name in "abcd")
    power: Dim = 1
    for factor in repeat(add(add(a, b), add(c, d)), 4):
        power = mul(power, factor)
    numbers = {dim.symbol: value for dim, value in zip((a, b, c, d), (2, 3, 5, 7), strict=True)}
    assert substitute(power, {known: value for known, value in numbers.items() if known}) == 17**4


def total_of(names: object) -> Dim:
    """A sum of so many symbols."""
    out: Dim = 0
    for name in names:  # type: ignore[attr-defined]
        out = add(out, symbol(name))
    return out
