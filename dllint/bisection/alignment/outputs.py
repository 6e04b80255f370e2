"""Which output of the candidate is which of the reference, where their order differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final

import numpy as np

from dllint.bisection.alignment.correlation import correlations
from dllint.bisection.errors import BisectionError

#: So many outputs are tried in every order.
_MOST: Final = 6


def paired(
    ours: Sequence[str], theirs: Sequence[str], our_values: Mapping[str, np.ndarray], their_values: Mapping[str, np.ndarray]
) -> dict[str, str]:
    """The candidate's output for each of the reference's: by name, else in the order in which shapes and values fit best.

    Raises :class:`BisectionError` if the candidate has fewer outputs.
    """
    if len(theirs) < len(ours):
        text = f"the reference has {len(ours)} outputs, the candidate {len(theirs)}"
        raise BisectionError(text, "let both give the same, or put the reference into a module that gives fewer")
    if set(ours) <= set(theirs):
        return {name: name for name in ours}
    if len(theirs) == 1 or len(theirs) > _MOST:
        return dict(zip(ours, theirs, strict=False))
    distances = correlations({n: our_values[n] for n in ours}, {n: their_values[n] for n in theirs})

    def misfit(order: Sequence[str]) -> float:
        pairs = list(zip(ours, order, strict=True))
        unlike = sum(our_values[a].shape != their_values[b].shape for a, b in pairs)
        return 2.0 * unlike + sum(distances.get(pair, 1.0) for pair in pairs)

    # The first of the best is kept, and the given order is tried first.
    best = min(permutations(theirs, len(ours)), key=misfit)
    return dict(zip(ours, best, strict=True))
