"""Changes to elements of tensors: names hold the result from then on, and whoever else holds the tensor finds it modified."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Arguments, Value, unwrap
from dllint.ops.aliases import AUGMENTED, sharing

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


def note(m: Interpreter, changed: TensorVal, result: TensorVal) -> None:
    """An operation has changed the elements of a tensor, and of those that it is a view of; ``result`` is what it gives, of
    the same element type."""
    result.type = replace(result.type, dtype=changed.dtype)
    for tensor in sharing(changed):
        if not is_trained(tensor):
            tensor.modified = True
            m.assigned[tensor.id] = result.id


def augmented(m: Interpreter, old: Value, result: Value) -> None:
    """``old += …`` has run: in place for tensors of torch and arrays, which keep their element type."""
    if not isinstance(old, TensorVal) or not isinstance(result, TensorVal) or result.producer is None:
        return
    spelled = f"operator.i{result.producer.spelled.removeprefix('operator.')}"
    if spelled in AUGMENTED and result.framework in ("torch", "numpy"):
        result.producer.spelled = spelled
        note(m, old, result)


def hold(m: Interpreter, changed: TensorVal, result: TensorVal) -> None:
    """Let the names that hold a tensor hold what became of it. In a loop, where no name does, the next pass may find either."""
    held = m.rebind(changed, result)
    changed.stale = changed.stale or (m.passes > 0 and not held)


def find_stale(m: Interpreter, op: Op) -> None:
    """Mark the operands of an operation to whose elements, or to what they are views of, was assigned since they were made."""
    for operand in op.inputs:
        chain = list(sharing(operand))
        if any(m.assigned.get(tensor.id, 0) > operand.id for tensor in chain):
            for tensor in chain:
                tensor.stale = tensor.stale or m.assigned.get(tensor.id, 0) > operand.id
            operand.stale = True


def hand_over(m: Interpreter, arguments: Arguments) -> None:
    """Code that is not followed gets arguments: it fills a tensor that it is to write to, or one that is there to be filled."""
    given = [(None, value) for value in arguments.args] + list(arguments.kwargs.items())
    for name, value in given:
        found = unwrap(value)
        if isinstance(found, TensorVal) and (name == "out" or _is_blank(found)):
            for tensor in sharing(found):
                tensor.foreign = tensor.modified = True
                m.assigned[tensor.id] = TensorVal(tensor.type).id


#: Operations that make tensors to be filled.
_BLANK: Final = frozenset({"zeros", "zeros_like", "new_zeros", "empty", "empty_like", "new_empty"})


def _is_blank(x: TensorVal) -> bool:
    return any(tensor.producer is not None and tensor.producer.kind in _BLANK for tensor in sharing(x))


def is_trained(x: TensorVal) -> bool:
    """Whether a tensor is a parameter, which an assignment to its elements does not make another tensor."""
    if x.producer is None:
        return x.name in ("parameter", "weight")
    return x.producer.kind == "variable" or x.producer.args.get("requires_grad") is True
