"""Whether two things happen in one pass of a loop: the second sees what the first makes, whatever the loop carries on."""

from __future__ import annotations

from collections.abc import Iterable

from dllint.ir.events import LoopEdge
from dllint.ir.program import Event, Op


def in_one_pass(trace: Iterable[Op | Event], first: Op | Event, second: Event) -> bool:
    """Whether one item of a trace stands before another, in the same pass of the same loops."""
    depth, is_past = 0, False
    for item in trace:
        if item is second:
            return is_past and depth == 0
        if item is first:
            depth, is_past = 0, True
        elif isinstance(item, LoopEdge):
            depth += 1 if item.phase == "enter" else -1
            is_past = is_past and depth >= 0
    return False
