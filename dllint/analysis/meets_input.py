"""Whether a tensor that a module keeps meets what the module is given, in an operation that needs both on one device.

A tensor that is copied into another one, or combined with what the module's own methods have made on the CPU, needs not be on
the device of the inputs.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having_any
from dllint.ops.ranges.spec import LAYOUT, MOVES
from dllint.ops.traits import Trait
from dllint.source.walk import walk

_SAME: Final = LAYOUT | MOVES
_CREATIONS: Final = having_any(Trait.FILLS | Trait.EMPTY | Trait.DRAWS | Trait.TAKES_DATA)
#: So many operations are looked at.
_MOST: Final = 60


def meets_input(value: TensorVal, cls: cst.ClassDef, facts: Facts) -> bool:
    """Whether an operation combines a tensor, or a part of it, with something else than what the class makes of nothing."""
    own = {id(node) for node in walk(cls)}
    todo, seen = [value], set[int]()
    while todo and len(seen) < _MOST:
        current = todo.pop()
        if current.id in seen:
            continue
        seen.add(current.id)
        for taker in facts.users(current):
            others = [other for other in taker.inputs if other.id != current.id]
            if not others:
                todo.extend(taker.outputs if taker.kind in _SAME else ())
            elif not does(taker, Trait.WRITES) and any(_is_given(other, own, facts) for other in others):
                return True
    return False


def _is_given(value: TensorVal, own: set[int], facts: Facts) -> bool:
    """Whether a tensor is made of anything but numbers that the class itself writes or draws; it holds its parameters, too."""
    steps = list(facts.ancestors(value))
    return not steps or any(_comes_from_outside(step, own) for step in steps)


def _comes_from_outside(op: Op, own: set[int]) -> bool:
    if op.layer is not None or any(given.producer is None for given in op.inputs):
        return True
    return not op.inputs and not (op.kind in _CREATIONS and id(op.site.node) in own)
