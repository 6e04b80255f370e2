"""Which loop each operation of a program is performed in."""

from __future__ import annotations

from dllint.ir.events import LoopEdge
from dllint.ir.program import Op, Program


def loops_of(program: Program) -> dict[int, int]:
    """By ``id`` of an operation: the place in the trace where the innermost loop begins that has it. Not of others."""
    out: dict[int, int] = {}
    entered: list[int] = []
    for place, item in enumerate(program.trace):
        if isinstance(item, LoopEdge) and item.phase == "enter":
            entered.append(place)
        elif isinstance(item, LoopEdge) and entered:
            entered.pop()
        elif isinstance(item, Op) and entered:
            out[id(item)] = entered[-1]
    return out
