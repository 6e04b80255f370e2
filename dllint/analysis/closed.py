"""Whether an operation takes nothing but what a script, or a function without parameters, has itself written down.

Then its sizes and types are what a run would have: no argument was invented, nothing was read, no condition was left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.ir.program import JOIN, SCRIPT, Event, Op, Program, TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, Value
from dllint.ops.faults import ARGUMENT, DTYPE
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait

#: Operations that make tensors of numbers, which they draw or are given.
_CREATIONS: Final = having_any(Trait.FILLS | Trait.EMPTY | Trait.DRAWS | Trait.TAKES_DATA | Trait.VARIABLE)
#: Longer derivations are not looked through.
_MOST: Final = 60


def is_closed(item: Op | Event | Program | None, facts: Facts) -> bool:
    """Whether all that an operation takes is written in the script, or in the function without parameters, that performs it,
    without conditions. Of an operation whose arguments alone are at fault, the tensors do not count; where types
    are at fault, sizes do not."""
    if not isinstance(item, Op) or not (facts.program.entry == SCRIPT or facts.program.takes_nothing):
        return False
    if (not item.inputs or all(fault.kind == ARGUMENT for fault in item.faults)) and item.faults and _is_configured(item):
        return True
    steps = [item, *facts.ancestors(*item.inputs)]
    if item.faults and all(fault.kind == DTYPE for fault in item.faults) and _is_typed(steps):
        return True
    if len(steps) > _MOST or any(step.path or step.tested for step in steps):
        return False
    return all(_is_written(step) for step in steps) and all(_is_sized(value) for value in item.inputs)


def _is_typed(steps: Sequence[Op]) -> bool:
    """Whether element types are what the script declares, on the one way that it takes; sizes, and what it asserts, do not
    count."""
    return len(steps) <= _MOST and all(
        not step.path and step.kind != JOIN and (_is_written(step) or does(step, Trait.PLACEHOLDER)) for step in steps
    )


def _is_configured(op: Op) -> bool:
    """Whether what is applied on every path, a layer or a function, has been given nothing but known arguments."""
    config = op.layer.layer if isinstance(op.layer, InstanceVal) else None
    args = op.args if config is None else config.args
    return not (op.path or op.tested) and all(_is_plain(value) for value in args.values())


def _is_plain(value: Value) -> bool:
    """Whether a value is a number, a text, None, a library's object or a tuple of such."""
    if isinstance(value, tuple):
        return all(_is_plain(part) for part in value)
    return value is None or isinstance(value, (int, float, str, LibSymbol))


def _is_written(op: Op) -> bool:
    """Whether an operation takes what others have made, or makes its result of numbers in the text."""
    if any(isinstance(value, Unknown) for value in op.args.values()):
        return False
    return all(_is_made(value) for value in op.inputs) if op.inputs else op.kind in _CREATIONS


def _is_made(value: TensorVal) -> bool:
    return value.producer is not None and not value.varies


def _is_sized(value: TensorVal) -> bool:
    """Whether the shape of a tensor is numbers alone."""
    shape: Any = value.shape
    return not isinstance(shape, Unknown) and all(isinstance(size, int) for size in shape)
