"""Where values come from that calls of unknown objects gave: whose they are, and what an optimizer was made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.typestate.frozen import parameters_asked
from dllint.analysis.typestate.opaque import holds
from dllint.domains.lattice import Unknown
from dllint.ir.events import LibraryCall, ModuleCall, OpaqueCall
from dllint.ir.values import Value

#: So many methods are followed from a value to the object that was called.
_DEEPEST: Final = 8


def givers(value: Value, facts: Facts) -> Iterator[Value]:
    """The objects that were called for a value, or whose methods gave it: ``model`` of ``model(x).float()``."""
    makers = _makers(facts)
    for _ in range(_DEEPEST):
        call = makers.get(id(value))
        if call is None:
            return
        yield call.callee
        if isinstance(call, ModuleCall) or not call.values or call.values[0] is None:
            return
        value = call.values[0]
        yield value


def is_computed(value: Value, facts: Facts) -> bool:
    """Whether an object that is not a method was given something for a value, as a model is: ``teacher(x).argmax(1)``."""
    makers = _makers(facts)
    for _ in range(_DEEPEST):
        call = makers.get(id(value))
        if call is None:
            return False
        if isinstance(call, ModuleCall):
            return True
        receiver, *others = call.values or (None,)
        if receiver is None:
            return bool(others)
        value = receiver
    return True


def is_built_from(value: Value, parts: Iterable[Value], facts: Facts) -> bool:
    """Whether a call that gave a value was given one of some objects, or its parameters."""
    wanted = list(parts)
    wanted += [params for params, model in parameters_asked(facts) if any(model is part for part in wanted)]
    given = [one for call in facts.events(LibraryCall) if call.result is value for one in call.given]
    given += [one for call in facts.events(OpaqueCall) if call.result is value for one in call.values]
    return any(holds(one, part) for one in given for part in wanted)


def _makers(facts: Facts) -> dict[int, OpaqueCall | ModuleCall]:
    """The calls that gave values that are not known, by the ``id`` of these."""
    calls: list[OpaqueCall | ModuleCall] = [*facts.events(OpaqueCall), *facts.events(ModuleCall)]
    return {id(call.result): call for call in calls if isinstance(call.result, Unknown)}
