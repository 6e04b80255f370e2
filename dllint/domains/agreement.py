"""Whether two sizes that depend on one free size are ever the same: asked where no bound of their difference answers it.

``H - 2`` and ``H``, of which one may be 1; ``(H + 1)//2`` and ``(H + 3)//4``, which are the same only where both are 1. Each
number in a range is put in the place of the free size, so nothing is left out there; what agrees for a larger number only is
no size that models have."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, symbols, weight

#: The largest number that is put in the place of a free size. Images have sides up to this, layers have widths.
LARGEST: Final = 1024
#: Sizes that programs have and at which windows of all usual strides agree: asked first, as they end the search.
_USUAL: Final = (256, 224, 1024, 768, 512, 128, 96, 64, 48, 32, 28, 299, 127, 255)
#: How many of the numbers must give two sizes above 1 that differ.
_FEWEST: Final = 256
_HEAVIEST: Final = 64
#: Origins of sizes that keep one value throughout a run.
_FREE: Final = ("input", "parameter")

_DIVISIONS: Final[Mapping[str, Callable[[int, int], int]]] = {"floordiv": operator.floordiv, "mod": operator.mod}
_COMBINED: Final[Mapping[str, Callable[[int, int], int]]] = {**_DIVISIONS, "min": min, "max": max}


def never_agree(a: Dim, b: Dim) -> Symbol | None:
    """The one free size of which two sizes depend, if they differ for each of its values unless one of them is 1 or less."""
    if a is b or (isinstance(a, int) and isinstance(b, int)) or 1 in (a, b):
        return None
    found = symbols(a) | symbols(b)
    if len(found) != 1 or weight(a) + weight(b) > _HEAVIEST:
        return None
    (free,) = found
    if free.origin not in _FREE or free.optional or free.lower < 0:
        return None
    return free if _differ_everywhere(a, b, free) else None


def _differ_everywhere(a: Dim, b: Dim, free: Symbol) -> bool:
    """A size that is a number must be passed: a larger free size may give it."""
    compared, largest = 0, 0
    stated = next((size for size in (a, b) if isinstance(size, int)), 0)
    for number in _numbers(free):
        left, right = value(a, number), value(b, number)
        if left is None or right is None:
            return False
        if left > 1 and right > 1:
            if left == right:
                return False
            compared += 1
            largest = max(largest, right if isinstance(a, int) else left)
    return compared >= _FEWEST and largest > stated


def _numbers(free: Symbol) -> Iterator[int]:
    least, most = max(free.lower, 1), min(free.upper or LARGEST, LARGEST)
    yield from (number for number in _USUAL if least <= number <= most)
    yield from (number for number in range(least, most + 1) if number not in _USUAL)


def value(dim: Dim, number: int) -> int | None:
    """A size with a number in the place of its one symbol; ``None`` where it divides by 0."""
    if isinstance(dim, int):
        return dim
    total = 0
    for monomial, term in dim.terms:
        for atom, power in monomial:
            factor = number
            if not isinstance(atom, Symbol):
                left, right = value(atom.left, number), value(atom.right, number)
                if left is None or right is None or (right == 0 and atom.kind in _DIVISIONS):
                    return None
                factor = _COMBINED[atom.kind](left, right)
            term *= factor**power
        total += term
    return total
