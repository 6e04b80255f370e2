"""What a loop replaces, told apart from what else is known of it: ``d = 1 - x`` before a loop that replaces ``x`` says of the
first pass alone how ``d`` and ``x`` are related.

A tensor of which something was computed before the loop that a pass takes, or that a pass finds under another name as well,
gets a successor that stands for what its place holds when any pass begins. Conditions on the way to the loop count for the
successor's first value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import Event, Op, TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value
from dllint.lower.changes import is_trained
from dllint.lower.journal import Entry, read_place
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.parts import Paths
    from dllint.lower.scopes import Frame


class _Replaced(NamedTuple):
    """A tensor that a pass has found in a place and would replace there by another object."""

    container: Any
    name: Any
    tensor: TensorVal


#: So many tensors are looked at for what they are computed of.
_MOST: Final = 200


def renew(m: Paths, node: cst.CSTNode, carried: Iterable[Entry], trace: list[Op | Event], start: int) -> bool:
    """Give the places that a pass of the loop ``node`` has written (each with what it would leave there; it is undone by now)
    new tensors for those that are known elsewhere. Whether there are any: the pass, traced from ``start`` on, is taken out of
    the trace then, as it has to be executed again. A tensor that cannot be told from its successor is marked as one of
    several."""
    replaced = list(_replaced(carried))
    if not replaced:
        return False
    names = {part.value for part in walk(node) if isinstance(part, cst.Name)}
    origins = _origins(trace[start:])
    known = [place for place in replaced if place.tensor.id in origins or _is_held_elsewhere(m.frame, names, place)]
    fresh = [place for place in known if _is_apart(place.tensor)]
    for _, _, tensor in known:
        if not tensor.several and not _is_apart(tensor):
            m.journal.note_lasting(tensor, "several")
            tensor.several = True
    if not fresh:
        return False
    del trace[start:]
    for container, name, tensor in fresh:
        m.journal.set_place(container, name, m.merge_tensors(tensor, tensor, tensor.type))
    return True


def _replaced(carried: Iterable[Entry]) -> Iterator[_Replaced]:
    for container, name, after in carried:
        before = read_place(container, name)
        if isinstance(before, TensorVal) and isinstance(after, TensorVal) and not before.is_same_object(after):
            yield _Replaced(container, name, before)


def _origins(performed: Sequence[Op | Event]) -> set[int]:
    """The tensors, by ``id``, of which those are computed that the operations of a pass take and that were there before it."""
    operations = [item for item in performed if isinstance(item, Op)]
    made = {output.id for op in operations for output in op.outputs}
    todo = [value for op in operations for value in op.inputs if value.id not in made]
    seen: set[int] = set()
    found: set[int] = set()
    while todo and len(seen) < _MOST:
        value = todo.pop()
        if value.id not in seen and value.producer is not None:
            found.update(operand.id for operand in value.producer.inputs)
            todo.extend(value.producer.inputs)
        seen.add(value.id)
    return found


def _is_held_elsewhere(frame: Frame, names: Iterable[str], place: _Replaced) -> bool:
    """Whether a variable of some ``names``, other than the one that is replaced, holds a tensor, itself or in a sequence or
    object."""
    variables = frame.scope.vars
    own = place.name if variables is place.container else None
    return any(_holds(variables.get(name), place) for name in names if name != own)


def _holds(value: Value, place: _Replaced) -> bool:
    if isinstance(value, InstanceVal):
        own = place.name if value.attrs is place.container else None
        return any(part is place.tensor for name, part in value.attrs.items() if name != own)
    if isinstance(value, tuple | ListVal):
        return any(part is place.tensor for part in (value if isinstance(value, tuple) else value.items))
    return value is place.tensor


def _is_apart(tensor: TensorVal) -> bool:
    """Whether a successor can stand for a tensor: its type is known, and nothing is written to its elements, which the
    successor would share."""
    shared = tensor.memory is not None or tensor.modified or tensor.foreign or is_trained(tensor)
    return not shared and not isinstance(tensor.shape, Unknown) and not isinstance(tensor.dtype, Unknown)
