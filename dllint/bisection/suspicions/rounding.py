"""Values that lie on a coarse grid."""

from __future__ import annotations

import numpy as np

from dllint.bisection.suspicions.evidence import Evidence

#: More distinct numbers than eight bits have are no coarse grid.
_LEVELS = 256


def grid(given: Evidence) -> str | None:
    """Few distinct, evenly spaced numbers where the reference has many: quantisation."""
    if not given.finite or given.found.size < 4 * _LEVELS:
        return None
    levels = np.unique(given.found)
    if not 2 < levels.size <= _LEVELS or np.unique(given.expected).size <= 2 * levels.size:
        return None
    steps = np.diff(levels)
    step = float(steps.min())
    even = np.abs(steps / step - np.round(steps / step)).max() < 0.05
    kind = f"steps of {step:.3g}" if even else "uneven steps"
    return f"quantisation: only {levels.size} distinct values, in {kind}"


def precision(given: Evidence) -> str | None:
    """Differences of the size that half precision brings."""
    if not given.finite or not 1e-5 < given.distance < 1e-2:
        return None
    for name, bits in (("float16", 11), ("bfloat16", 8)):
        if 2.0 ** -(bits + 2) < given.distance < 2.0 ** -(bits - 2):
            return f"precision: differences of {given.distance:.1e}, as {name} makes them"
    return None
