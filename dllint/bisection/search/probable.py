"""What is most probable where a drop is too small to be placed: operators that are wrong, by what each costs alone."""

from __future__ import annotations

from typing import Final

from dllint.bisection.result import Bisection, Probable
from dllint.bisection.search import isolation
from dllint.bisection.search.errors import Errors
from dllint.bisection.search.settings import Certainty
from dllint.bisection.statistics.visible import smallest_visible_drop
from dllint.bisection.steps import Step
from dllint.bisection.trials import NOTHING, Part, Put, Trials

#: A drop of which chance alone makes one as large more often than this is not looked into.
_CHANCE: Final = 0.1
#: So many operators are tried, those that differ most.
_TRIED: Final = 3
#: More samples than this nobody takes.
_MOST: Final = 10**8


def looked_into(found: Bisection) -> bool:
    """Whether there may be a drop and no operator is blamed for it."""
    contrast = found.contrast
    return not found.culprits and contrast.difference < 0 and contrast.p_drop <= _CHANCE


def probable(trials: Trials, steps: list[Step], errors: Errors, level: float) -> list[Probable]:
    """The operators that cost something when they are put into the reference alone, the dearest first."""
    tried = (
        errors.guides(steps)[:_TRIED]
        or sorted((step for step in steps if errors.differs(step)), key=lambda step: -errors.by_step[step.name])[:_TRIED]
    )
    found = []
    for step in tried:
        alone = frozenset(Put(node, isolation.ORIGIN) for node in step.nodes)
        contrast = trials.contrast(NOTHING, alone, Part.ALL, level)
        if contrast.difference < 0:
            found.append(Probable(step, contrast))
    return sorted(found, key=lambda each: each.contrast.difference)


def samples_needed(found: Bisection, certainty: Certainty, steps: int) -> int | None:
    """How many samples would show a drop as large as the one seen; None if that is beyond measure."""
    alpha = certainty.per_test(steps) / 2
    half = max(1, found.contrast.samples // 2)
    while smallest_visible_drop(found.contrast, half, alpha, certainty.power) > -found.contrast.difference:
        half = half * 5 // 4 + 1
        if half > _MOST:
            return None
    unit: int = 10 ** max(0, len(str(2 * half)) - 2)
    return -(-2 * half // unit) * unit
