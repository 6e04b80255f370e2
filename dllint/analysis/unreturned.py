"""Results that a ``forward`` computes last and drops: a layer or module with weights was applied, nobody reads what it gives,
and what it was computed from is returned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.class_reads import Access
from dllint.analysis.facts import Facts
from dllint.analysis.liveness import dead_in_function
from dllint.analysis.modules import has_weights
from dllint.ir.events import ModuleCall, Return
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.source.memo import of_node
from dllint.source.walk import walk_placed

#: Methods whose result is that of the module.
_ENTRIES: Final = frozenset({"forward", "call"})
#: Operations that are walked back from a dropped result.
_MOST: Final = 2000


@dataclass(frozen=True, slots=True)
class Unreturned:
    """The dropped result: the ``name`` it was bound to, the call that made it, the place of what is returned, and its
    name."""

    name: str
    call: ModuleCall
    place: Access
    returned: str


def unreturned(program: Program, facts: Facts) -> Iterator[Unreturned]:
    """The results that methods drop whose only ``return`` gives a value on the way to them."""
    calls: dict[int, ModuleCall] = {}
    returns = [event for event in facts.events(Return) if getattr(event.function.node, "name", None) is not None]
    for event in returns:
        place = _single_return(event.function.node) if event.function.node.name.value in _ENTRIES else None
        if place is None or not isinstance(event.value, TensorVal):
            continue
        calls = calls or {id(call.site.node): call for call in facts.events(ModuleCall)}
        for dead in dead_in_function(event.function.node):
            call = calls.get(id(dead.value))
            if (
                dead.killer is None
                and call is not None
                and not dead.name.startswith("_")
                and _is_dropped(call, event.value, facts)
            ):
                yield Unreturned(dead.name, call, place, place.node.value)


@of_node
def _single_return(function: cst.FunctionDef) -> Access | None:
    """What the only ``return`` of a method gives, if that is a name."""
    found: list[Access] = []
    for part, statement in walk_placed(function):
        if isinstance(part, cst.Return):
            found.append(Access(part.value, statement))
        elif part is not function and isinstance(part, (cst.FunctionDef, cst.Lambda)):
            return None
    return found[0] if len(found) == 1 and isinstance(found[0].node, cst.Name) else None


def _is_dropped(call: ModuleCall, returned: TensorVal, facts: Facts) -> bool:
    """Whether a result of something with weights is read by nothing and was computed from the returned value."""
    callee, result = call.callee, call.result
    if not isinstance(callee, InstanceVal) or not has_weights(callee) or not isinstance(result, TensorVal):
        return False
    return result is not returned and not facts.users(result) and _is_on_the_way(returned, result)


def _is_on_the_way(source: TensorVal, result: Value) -> bool:
    todo, seen = [result], {source.id}
    while todo and len(seen) < _MOST:
        value = todo.pop()
        maker = value.producer if isinstance(value, TensorVal) else None
        for part in maker.inputs if maker is not None else ():
            if part.id == source.id:
                return True
            if part.id not in seen:
                seen.add(part.id)
                todo.append(part)
    return False
