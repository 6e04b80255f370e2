"""Which values a candidate can really show: watching some may make it crash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from dllint.bisection.errors import wrapped_errors
from dllint.bisection.protocols import Arrays, Candidate

#: Stands for a value that cannot be watched; it fits none of the reference's.
_UNSEEN: Final = np.empty(0)


def watched(candidate: Candidate, inputs: Arrays, names: Sequence[str]) -> dict[str, np.ndarray]:
    """The values of these names; an empty array for each that is in no plain layout, or makes the candidate crash.

    Raises :class:`~dllint.bisection.errors.BisectionError` if it crashes when asked for its outputs.
    """
    outputs = [name for name in names if name in candidate.outputs]
    with wrapped_errors("the candidate", "try it on a sample of the spec"):
        found = dict(candidate.run(inputs, outputs)) if outputs else {}
    plain = {observable.name for observable in candidate.observables if observable.plain}
    shown = _shown(candidate, inputs, [name for name in names if name not in found and name in plain])
    return {**dict.fromkeys(names, _UNSEEN), **shown, **found}


def _shown(candidate: Candidate, inputs: Arrays, names: Sequence[str]) -> dict[str, np.ndarray]:
    """The values; those that crash it are found by halving the names where a run fails."""
    if not names:
        return {}
    try:
        return dict(candidate.run(inputs, names))
    except Exception:
        if len(names) == 1:
            return {names[0]: _UNSEEN}
    middle = len(names) // 2
    return {**_shown(candidate, inputs, names[:middle]), **_shown(candidate, inputs, names[middle:])}
