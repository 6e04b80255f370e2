"""Types of what was computed from tensors before later operations have shown their shapes.

An input of unknown rank gets its shape from the first operation that asks for one (``lower/demands.py``). What had been made of
it before that is told again here: by the same operations, for the shapes that are known now. Faults are not looked for again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, join_types
from dllint.ir.program import JOIN, Op, Program, TensorVal
from dllint.ir.values import Value
from dllint.lower.typed import as_type, typed_value
from dllint.ops.spec import OPS, apply

if TYPE_CHECKING:
    from dllint.lower.journal import Journal

#: So many tensors behind one are looked at on demand.
_MOST: Final = 12


def complete(journal: Journal, x: TensorVal) -> None:
    """Tell the type of a tensor of unknown rank again, if more is known of what it was made of."""
    found: list[Op] = []
    todo, seen = [x], set[int]()
    while todo and len(seen) < _MOST:
        value = todo.pop()
        if value.producer is not None and value.id not in seen and isinstance(value.type.shape, Unknown):
            seen.add(value.id)
            found.append(value.producer)
            todo.extend(value.producer.inputs)
    for op in reversed(found):
        again(journal, op)


def complete_all(journal: Journal, program: Program) -> None:
    """Tell the types of all results of unknown rank again, in the order in which they were made."""
    for op in program.ops:
        if any(isinstance(value.type.shape, Unknown) for value in op.outputs):
            again(journal, op)


def again(journal: Journal, op: Op) -> None:
    """Tell the types of the results of an operation again, where they are of unknown rank and its operands are not."""
    if op.faults or not op.inputs or any(isinstance(operand.type.shape, Unknown) for operand in op.inputs):
        return
    for value, type_ in zip(op.outputs, _types(op), strict=False):
        if isinstance(value.type.shape, Unknown) and not isinstance(type_.shape, Unknown):
            journal.set_attribute(value, "type", type_.with_dtype(value.type.dtype))


def _types(op: Op) -> tuple[TensorType, ...]:
    """The types of the results of an operation by the present types of its operands; none, if they cannot be told apart."""
    if op.kind == JOIN:
        x, y = op.args.get("x"), op.args.get("y")
        return (join_types(x.type, y.type),) if isinstance(x, TensorVal) and isinstance(y, TensorVal) else ()
    spec = OPS.get(op.kind)
    if spec is None:
        return ()
    typed = {k: as_type(v, op.framework) if k in spec.tensors else typed_value(v) for k, v in op.args.items()}
    outcome = apply(op.kind, op.framework, typed)
    if outcome.faults:
        return ()
    return _flat(outcome.result, len(op.outputs))


def _flat(result: Value, count: int) -> tuple[TensorType, ...]:
    if isinstance(result, TensorType):
        return (result,) * (count == 1)
    if not isinstance(result, tuple) or len(result) != count or not all(isinstance(part, TensorType) for part in result):
        return ()
    return tuple(part for part in result if isinstance(part, TensorType))
