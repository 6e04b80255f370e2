"""Models that a program writes to a file and reads again: what is read is a copy of what was written.

Only files that hold a model are kept; numbers and texts beside it may be those of an earlier run.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine
from dllint.frameworks.paths import path_of
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, ListVal, SetVal, Value, unwrap

_KEY: Final = "saved: "
#: Of an object with more parts than this, it is not followed whether it has changed since it was saved before.
_MOST_PARTS: Final = 4000


def keep(machine: Machine, source: Value, value: Value) -> None:
    """The program writes a value to the file that ``source`` stands for."""
    path = path_of(source)
    if path is None:
        return
    key, parts = _KEY + path, _parts(value)
    before = machine.state.get(key)
    if not parts:
        if before is not None:
            machine.write(machine.state, key, None)
    elif not isinstance(before, tuple) or before[1] != parts:
        machine.write(machine.state, key, (_copy(machine, value), parts))


def written(machine: Machine, source: Value) -> Value:
    """A copy of what the program wrote to a file; ``None`` if nothing is known of that."""
    path = path_of(source)
    kept = [one for one in machine.alternatives(machine.state.get(_KEY + path)) if one is not None] if path is not None else []
    if len(kept) != 1 or not isinstance(kept[0], tuple) or len(kept[0]) != 2:
        return None
    copy = _copy(machine, _without_numbers(kept[0][0]))
    return None if isinstance(copy, Unknown) else copy


def _copy(machine: Machine, value: Value) -> Value:
    return machine.call(LibSymbol("copy.deepcopy"), Arguments((value,)))


def _parts(value: Value) -> tuple[int, ...]:
    """What tells whether a value holds the same objects as before: the identities of all objects in it, and the lengths of its
    containers. Empty if there is no object in it, or too many are."""
    parts: list[int] = []
    seen: set[int] = set()
    has_object = False
    todo = [value]
    while todo and len(seen) <= _MOST_PARTS:
        part = unwrap(todo.pop())
        if isinstance(part, tuple):
            todo += part
        elif isinstance(part, (InstanceVal, ListVal, SetVal, DictVal)) and id(part) not in seen:
            seen.add(id(part))
            held = _held(part)
            parts += (id(part),) if isinstance(part, InstanceVal) else (len(held),)
            has_object = has_object or isinstance(part, InstanceVal)
            todo += held
    return tuple(parts) if has_object and len(seen) <= _MOST_PARTS else ()


def _held(part: InstanceVal | ListVal | SetVal | DictVal) -> list[Value]:
    if isinstance(part, InstanceVal):
        return [*part.attrs.values(), *part.state.values()]
    return list(part.items.values() if isinstance(part, DictVal) else part.items)


def _without_numbers(value: Value) -> Value:
    if isinstance(value, DictVal):
        return DictVal({key: _without_numbers(held) for key, held in value.items.items()}, value.rest, read=True)
    return value if isinstance(value, (InstanceVal, DictVal)) else Unknown("file-content", "number")
