"""Acquittal: a fall that is undone once the operators that take the value are deployed too is no fault.

The deployed model keeps such a value in another way (a scale folded into the next operator, another layout, integers), or
a second difference cancels the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dllint.bisection.graph import Graph
from dllint.bisection.result import Acquitted
from dllint.bisection.search.splitting import Fall
from dllint.bisection.steps import Profile, Step
from dllint.bisection.trials import Part, Trials

#: So much of the fall has to be undone.
_SHARE: Final = 0.5


def acquitted(trials: Trials, graph: Graph, profile: Profile, fall: Fall, alpha: float) -> Acquitted | None:
    """The acquittal of the operators of a fall, if there is one."""
    later = _without(graph, profile.steps, fall)
    if later is None:
        return None
    before, there, after = (profile.at(cut) for cut in (fall.left, fall.right, later))
    drop = trials.contrast(before, there, Part.SEARCH).difference
    recovery = trials.contrast(there, after, Part.SEARCH)
    if recovery.difference < -_SHARE * drop or not recovery.rises(alpha):
        return None
    return Acquitted(profile.steps[fall.right - 1], drop, profile.steps[later - 1], recovery.difference)


def _without(graph: Graph, steps: Sequence[Step], fall: Fall) -> int | None:
    """The first cut at which none of the fall's last values is needed any more."""
    own = set(steps[fall.right - 1].nodes)
    for cut in range(fall.right + 1, len(steps) + 1):
        nodes = {node for step in steps[:cut] for node in step.nodes if node in graph}
        if not own & set(graph.needed(nodes)):
            return cut
    return None
