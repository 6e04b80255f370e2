"""A size is shown as Python would compute it: the text, with numbers for its symbols, gives the number that the size is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from dllint.domains.dim import Dim, floordiv, mod, show, symbol
from dllint.domains.substitution import substitute

NUMBERS = [(37, 45), (64, 1), (5, 133)]


def sizes(h: Dim, w: Dim) -> Iterator[Dim]:
    parts: tuple[Dim, ...] = (h, w, 3, -1, 512, h + 7, 2 * w - 1)
    for a, b in product(parts, repeat=2):
        for divided in (floordiv(a + 1, 32), mod(b + 5, 3)):
            yield from (divided * b, b * divided, a * divided * floordiv(b, 2), a - divided, -1 * divided, divided * divided)
            yield divided + a


@pytest.mark.parametrize("numbers", NUMBERS)
def test_the_text_computes_the_size(numbers: tuple[int, int]) -> None:
    h, w = symbol("H", "input"), symbol("W", "input")
    values = {next(iter(one.terms))[0][0][0]: number for one, number in zip((h, w), numbers, strict=True)}
    for size in sizes(h, w):
        told = eval(show(size), {"min": min, "max": max}, dict(zip("HW", numbers, strict=True)))
        real = substitute(size, values)
        assert told == real, show(size)
