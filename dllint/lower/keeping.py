"""What sums and lists keep: the events of values that are added to a variable, or put into a list, in training code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.events import Kept
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value
from dllint.lower import duck
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.lower.parts import Calls

#: So many elements of a list are looked at that is added to another one.
_MOST: Final = 8
#: Why a number or tensor is not known that is another one in every pass of a loop.
_CHANGES: Final = "loop"


def added(m: Calls, target: cst.BaseExpression, old: Value, value: Value) -> None:
    """``target += value``, or ``target += [value]``, where ``target`` holds ``old``: a number, a tensor or a list. An object
    keeps what its class says, and what is not known may be one."""
    if isinstance(old, InstanceVal) or (type(old) is Unknown and old.reason != _CHANGES):
        return
    held = value.items[:_MOST] if isinstance(value, ListVal) and value.rest is None else None
    if held is None:
        _record(m, target, value)
    for one in held or ():
        _record(m, target, one, value)


def summed(m: Calls, node: cst.Assign, total: Value) -> None:
    """``x = x + value``, or ``x = value + x``, has given ``total``, which is no object of a class."""
    added_up = node.value
    if isinstance(total, InstanceVal):
        return
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


def averaged(m: Calls, target: cst.BaseExpression, old: Value, new: Value) -> None:
    """``target``, which has held ``old``, now holds ``new``: a running average of that and of other values, as in
    ``x = 0.9 * x + 0.1 * value``; of an element of a table, also a sum."""
    if type(new) is not TensorVal or type(old) is not TensorVal or new.producer is None:
        return
    operands = list(_arguments(new.producer))
    is_direct = isinstance(target, cst.Subscript) and does(new.producer, Trait.ADDS) and any(part is old for part in operands)
    if is_direct or any(_is_scaled(part, old) for part in operands):
        for part in operands:
            if part is not old and not _is_scaled(part, old):
                _record(m, target, part)


def _arguments(op: Op) -> Iterator[Value]:
    """The operands of a sum, which can be an average."""
    if does(op, Trait.ADDS):
        yield from (value for value in op.args.values() if type(value) is TensorVal)


def _is_scaled(part: Value, old: TensorVal) -> bool:
    """Whether an operand is a multiple of a value."""
    op = part.producer if type(part) is TensorVal else None
    return (does(op, Trait.MULTIPLIES) or does(op, Trait.DIVIDES)) and any(value is old for value in op.args.values())


def appended(m: Calls, container: ListVal, value: Value) -> None:
    """``container.append(value)``."""
    node = m.frame.node
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        _record(m, node.func.value, value, container)


def _record(m: Calls, target: cst.BaseExpression, value: Value, container: Value = None) -> None:
    if not isinstance(value, (TensorVal, Unknown)):
        return
    if duck.is_training_code(m.document, m.frame) or m.frame.document.answer(_has_step):
        m.event(Kept, value=value, target=target, container=container)


def _has_step(text: str) -> bool:
    """Whether a text defines the step of a trainer, which differentiates what that returns."""
    return "def training_step(" in text
