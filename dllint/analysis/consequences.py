"""Faults that only follow from another fault.

After a fault the interpreter continues with the declared size. If the declaration was the mistake, the next layer sees the same
two sizes exchanged: it gets a tensor with the declared size from the operation that had the fault. A fault between the same two
sizes as one of an ancestor is therefore a consequence if its tensor has the size that the ancestor declares; otherwise it is a
fault of its own. Behind a layer that was given its channels on the last axis, all sizes of positions are those of other axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ir.values import Value

#: How many operations back a consequence is looked for.
_REACH = 60


def is_consequence(op: Op, facts: Facts) -> bool:
    """Whether every fault of an operation confuses two sizes that an ancestor has confused already, in a tensor that carries
    what the ancestor declares."""
    return all(_follows(fault, op, facts) for fault in op.faults)


def _follows(fault: Fault, op: Op, facts: Facts) -> bool:
    sizes = _sizes(fault)
    if sizes is None:
        return False
    of_positions = isinstance(fault.axis, int) and fault.axis not in (0, 1)
    return any(
        (_sizes(earlier) == sizes and _carries(value, earlier.expected)) or (of_positions and _is_turned(earlier, ancestor))
        for value in _operands(fault, op)
        for ancestor in islice(facts.ancestors(value), _REACH)
        for earlier in ancestor.faults
    )


def _is_turned(fault: Fault, op: Op) -> bool:
    """Whether the channels that an operation misses on axis 1 are on the last axis of what it gets."""
    shapes = [value.shape for value in op.inputs if not isinstance(value.shape, Unknown) and len(value.shape) > 2]
    wanted, given = fault.expected, fault.actual
    return fault.axis == 1 and isinstance(wanted, int) and any(s[-1] == wanted and s[1] == given for s in shapes)


def _operands(fault: Fault, op: Op) -> Iterator[TensorVal]:
    """The tensors that a fault is about: both of two that do not go together."""
    named = op.args.get(fault.operand)
    if isinstance(named, TensorVal) and len(fault.shapes) < 2:
        yield named
    else:
        yield from op.inputs


def _carries(value: TensorVal, size: Value) -> bool:
    """Whether a tensor has an axis of a size; one whose sizes are not known may have."""
    return isinstance(value.shape, Unknown) or any(dim == size for dim in value.shape)


def _sizes(fault: Fault) -> frozenset[object] | None:
    """The two sizes a fault is about, in no order."""
    if fault.expected is None or fault.actual is None or isinstance(fault.expected, tuple):
        return None
    return frozenset((fault.expected, fault.actual))
