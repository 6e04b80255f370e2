"""Events for comparisons with NaN, whose result does not depend on the other operand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, ListVal, SetVal, Value
from dllint.ops.kinds import by_name
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine

#: Operations that fill a tensor with one given number, and the argument that is the number.
_FILLED: Final = by_name({Trait.FULL: "fill_value", Trait.TAKES_DATA: "data"})


def record(m: Machine, name: str, node: cst.Comparison, left: Value, right: Value) -> None:
    """Record a comparison with NaN on one side. Not recorded: NaN on both sides, which tests NaN itself, and comparisons with
    None."""
    if len(node.comparisons) != 1 or left is None or right is None:
        return
    target = node.comparisons[0].comparator
    if name in ("in", "not in"):
        if _holds_nan(right) and not is_nan(left):
            m.event(events.NanTest, name=name, other=left, other_node=node.left, nan_node=target)
        elif is_nan(left) and isinstance(right, TensorVal):
            m.event(events.NanTest, name=name, other=right, other_node=target, nan_node=node.left)
    elif is_nan(right) and not is_nan(left):
        m.event(events.NanTest, name=name, other=left, other_node=node.left, nan_node=target)
    elif is_nan(left) and not is_nan(right):
        m.event(events.NanTest, name=name, other=right, other_node=target, nan_node=node.left)


def is_nan(value: Value) -> bool:
    """Whether a value is NaN, or a tensor of nothing else."""
    if isinstance(value, Assumed):
        return is_nan(value.value)
    if isinstance(value, float):
        return value != value
    if not isinstance(value, TensorVal) or value.producer is None or value.modified:
        return False
    name = _FILLED.get(value.producer.kind)
    return name is not None and is_nan(value.producer.args.get(name))


def _holds_nan(value: Value) -> bool:
    items = value.items if isinstance(value, (ListVal, SetVal)) else value if isinstance(value, tuple) else ()
    return any(map(is_nan, items))
