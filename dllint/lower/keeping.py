"""What sums and lists keep: the events of values that are added to a variable, or put into a list, in training code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.events import Kept
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal, Value
from dllint.lower import duck

if TYPE_CHECKING:
    from dllint.lower.parts import Calls

#: So many elements of a list are looked at that is added to another one.
_MOST: Final = 8


def added(m: Calls, target: cst.BaseExpression, value: Value) -> None:
    """``target += value``, or ``target += [value]``."""
    held = value.items[:_MOST] if isinstance(value, ListVal) and value.rest is None else None
    if held is None:
        _record(m, target, value)
    for one in held or ():
        _record(m, target, one, value)


def summed(m: Calls, node: cst.Assign, total: Value) -> None:
    """``x = x + value``, or ``x = value + x``, has given ``total``."""
    added_up = node.value
    if type(added_up) is not cst.BinaryOperation or type(added_up.operator) is not cst.Add or len(node.targets) != 1:
        return
    target = node.targets[0].target
    for own, other in ((added_up.left, added_up.right), (added_up.right, added_up.left)):
        if type(own) is type(target) and isinstance(target, (cst.Name, cst.Attribute)) and own.deep_equals(target):
            _record(m, target, _operand(m, other, total, "y" if own is added_up.left else "x"))
            return


def _operand(m: Calls, node: cst.BaseExpression, total: Value, name: str) -> Value:
    """What a sum has added: the value of a name, or the operand of the operation."""
    if isinstance(node, cst.Name):
        return m.frame.scope.vars.get(node.value)
    if isinstance(total, TensorVal) and total.producer is not None:
        return total.producer.args.get(name)
    return None


def appended(m: Calls, container: ListVal, value: Value) -> None:
    """``container.append(value)``."""
    node = m.frame.node
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        _record(m, node.func.value, value, container)


def _record(m: Calls, target: cst.BaseExpression, value: Value, container: Value = None) -> None:
    if isinstance(value, (TensorVal, Unknown)) and duck.is_training_code(m.document, m.frame):
        m.event(Kept, value=value, target=target, container=container)
