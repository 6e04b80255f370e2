"""What a loop replaces, told apart from what else is known of it: ``d = 1 - x`` before a loop that replaces ``x`` says of the
first pass alone how ``d`` and ``x`` are related.

A tensor of which something was computed before the loop, or that another name holds as well, gets a successor that stands
for what its place holds when any pass begins. Conditions on the way to the loop count for the successor's first value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value
from dllint.lower.changes import is_trained
from dllint.lower.journal import Entry, read_place

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


class _Replaced(NamedTuple):
    """A tensor that a pass has found in a place and would replace there by another object."""

    container: Any
    name: Any
    tensor: TensorVal


def renew(m: Interpreter, carried: Iterable[Entry], start: int) -> bool:
    """Give the places that a pass has written (each with what it would leave there; it is undone by now) new tensors for those
    that are known elsewhere. Whether there are any: the pass, traced from ``start`` on, is taken out of the trace then, as it
    has to be executed again. A tensor that cannot be told from its successor is marked as one of several."""
    known = [place for place in _replaced(carried) if _is_taken(m, place.tensor, start) or _is_held_elsewhere(m, place)]
    fresh = [place for place in known if _is_apart(place.tensor)]
    for _, _, tensor in known:
        if not tensor.several and not _is_apart(tensor):
            m.journal.note_lasting(tensor, "several")
            tensor.several = True
    if not fresh:
        return False
    del m.program.trace[start:]
    for container, name, tensor in fresh:
        m.journal.set_place(container, name, m.merge_tensors(tensor, tensor, tensor.type))
    return True


def _replaced(carried: Iterable[Entry]) -> Iterator[_Replaced]:
    for container, name, after in carried:
        before = read_place(container, name)
        if isinstance(before, TensorVal) and isinstance(after, TensorVal) and not before.is_same_object(after):
            yield _Replaced(container, name, before)


def _is_taken(m: Interpreter, tensor: TensorVal, start: int) -> bool:
    """Whether an operation before the pass has taken a tensor since it was made."""
    for item in islice(reversed(m.program.trace), len(m.program.trace) - start, None):
        if item is tensor.producer:
            return False
        if isinstance(item, Op) and any(operand is tensor for operand in item.inputs):
            return True
    return False


def _is_held_elsewhere(m: Interpreter, place: _Replaced) -> bool:
    """Whether a variable other than the one that is replaced holds a tensor, itself or in a sequence or object."""
    variables = m.frame.scope.vars
    own = place.name if variables is place.container else None
    return any(_holds(value, place.tensor) for name, value in variables.items() if name != own)


def _holds(value: Value, tensor: TensorVal) -> bool:
    if isinstance(value, tuple | ListVal | InstanceVal):
        parts = value if isinstance(value, tuple) else value.items if isinstance(value, ListVal) else value.attrs.values()
        return any(part is tensor for part in parts)
    return value is tensor


def _is_apart(tensor: TensorVal) -> bool:
    """Whether a successor can stand for a tensor: its type is known, and nothing is written to its elements, which the
    successor would share."""
    shared = tensor.memory is not None or tensor.modified or tensor.foreign or is_trained(tensor)
    return not shared and not isinstance(tensor.shape, Unknown) and not isinstance(tensor.dtype, Unknown)
