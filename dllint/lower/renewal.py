"""What a loop replaces, told apart from what else is known of it: ``d = 1 - x`` before a loop that replaces ``x`` says of the
first pass alone how ``d`` and ``x`` are related.

A tensor of which something was computed before the loop that a pass takes, or that a pass finds under another name as well,
gets a successor that stands for what its place holds when any pass begins. Conditions on the way to the loop count for the
successor's first value.

A pass that is executed again executes the loops in it again. Within a loop, each other one does that only for names for which
it has not done it before, which get their successors before it begins from then on. One that is too deep does not do it at
all: there, all that is assigned in it gets successors.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import JOIN, Event, Op, TensorVal
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


#: Within so many loops, those around calls included, none executes its first pass again.
_DEEPEST: Final = 4
#: So many tensors are looked at for what they are computed of.
_MOST: Final = 200


def renew_ahead(m: Paths, node: cst.CSTNode, renewed: Mapping[int, frozenset[Hashable]]) -> None:
    """Before the loop ``node`` begins, give new tensors to the names that it has ``renewed`` before, or to all that are
    assigned in it if it is too deep."""
    names = renewed.get(id(node), frozenset()) if m.control.passes < _DEEPEST else _assigned(node)
    if not names:
        return
    variables = m.frame.scope.vars
    objects = {id(value): value.attrs for name in _names(node) if isinstance(value := variables.get(name), InstanceVal)}
    for container in (variables, *objects.values()):
        for name, tensor in [*container.items()]:
            if name in names and isinstance(tensor, TensorVal) and _is_apart(tensor):
                _give_successor(m, _Replaced(container, name, tensor))


def renew(
    m: Paths,
    node: cst.CSTNode,
    carried: Iterable[Entry],
    trace: list[Op | Event],
    start: int,
    renewed: dict[int, frozenset[Hashable]],
) -> bool:
    """Give the places that a pass of the loop ``node`` has written (each with what it would leave there; it is undone by now)
    new tensors for those that are known elsewhere. Whether there are any: the pass, traced from ``start`` on, is taken out of
    the trace then, as it has to be executed again, and their names are added to those that it has ``renewed``. A tensor that
    cannot be told from its successor is marked as one of several, and so are all of them if the loop is too deep or has
    renewed their names before."""
    replaced = list(_replaced(carried))
    if not replaced:
        return False
    if m.control.passes >= _DEEPEST:
        _mark(m, (tensor for _, _, tensor in replaced if not _is_successor(tensor)))
        return False
    origins, names = _origins(trace[start:]), _names(node)
    known = [place for place in replaced if place.tensor.id in origins or _is_held_elsewhere(m.frame, names, place)]
    apart = [place for place in known if _is_apart(place.tensor)]
    found, before = frozenset(place.name for place in apart), renewed.get(id(node), frozenset())
    fresh = [] if found <= before else apart
    _mark(m, (tensor for _, _, tensor in known if not fresh or not _is_apart(tensor)))
    if not fresh:
        return False
    renewed[id(node)] = before | found
    del trace[start:]
    for place in fresh:
        _give_successor(m, place)
    return True


def _names(node: cst.CSTNode) -> set[str]:
    return {part.value for part in walk(node) if isinstance(part, cst.Name)}


def _assigned(node: cst.CSTNode) -> frozenset[Hashable]:
    """The names and attributes that are assigned in a loop."""
    targets: list[cst.CSTNode] = []
    for part in walk(node):
        if isinstance(part, cst.Assign):
            targets += [target.target for target in part.targets]
        elif isinstance(part, (cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)):
            targets.append(part.target)
    return frozenset(name for target in targets for name in _names(target))


def _mark(m: Paths, tensors: Iterable[TensorVal]) -> None:
    """Note of tensors that each stands for several."""
    for tensor in tensors:
        if not tensor.several:
            m.journal.note_lasting(tensor, "several")
            tensor.several = True


def _is_successor(tensor: TensorVal) -> bool:
    maker = tensor.producer
    return maker is not None and maker.kind == JOIN and maker.args["x"] is maker.args["y"]


def _give_successor(m: Paths, place: _Replaced) -> None:
    m.journal.set_place(place.container, place.name, m.merge_tensors(place.tensor, place.tensor, place.tensor.type))


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
    if isinstance(value, (tuple, ListVal)):
        return any(part is place.tensor for part in (value if isinstance(value, tuple) else value.items))
    return value is place.tensor


def _is_apart(tensor: TensorVal) -> bool:
    """Whether a successor can stand for a tensor: its type is known, and nothing is written to its elements, which the
    successor would share."""
    shared = tensor.memory is not None or tensor.modified or tensor.foreign or is_trained(tensor)
    return not shared and not isinstance(tensor.shape, Unknown) and not isinstance(tensor.dtype, Unknown)
