"""Numbers in the place of symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, add, floordiv, maximum, minimum, mod, mul, of_atom, symbols, weight

#: What a dimension may weigh that is computed for each of thousands of numbers.
_HEAVIEST: Final = 64


def substitute(dim: Dim, values: Mapping[Symbol, Dim]) -> Dim:
    """The dimension with symbols replaced."""
    if isinstance(dim, int):
        return dim
    out: Dim = 0
    for monomial, coefficient in dim.terms:
        term: Dim = coefficient
        for atom, power in monomial:
            if isinstance(atom, Symbol):
                factor: Dim = values.get(atom, of_atom(atom))
            else:
                left, right = substitute(atom.left, values), substitute(atom.right, values)
                factor = _COMBINE[atom.kind](left, right)
            for _ in range(power):
                term = mul(term, factor)
        out = add(out, term)
    return out


_COMBINE = {"floordiv": floordiv, "mod": mod, "min": minimum, "max": maximum}


def solve(dim: Dim, target: int, unknown: Symbol, limit: int = 4096) -> tuple[int, ...]:
    """All values of ``unknown`` in 1..limit that make ``dim`` equal to ``target``; empty if other symbols remain."""
    if symbols(dim) != {unknown} or weight(dim) > _HEAVIEST:
        return ()
    return tuple(n for n in range(max(1, unknown.lower), limit + 1) if substitute(dim, {unknown: n}) == target)
