"""Paths that leave a block early in an arm of an undecided branch: ``break``, ``continue``, ``return``, caught exceptions.

Such a path waits at the :class:`Exit` it leads to, while the other arms go on. Where the block ends, the states of all paths
that have come there are joined. A state is held as what it has in the places written since the first path came (the journal's
level in which the block began tells them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from dllint.lower.ends import Exit
from dllint.lower.journal import ORDER, Entry, Place, Writes, read_place
from dllint.lower.scopes import BREAK, NORMAL, RAISE, RETURN
from dllint.lower.states import join_places

if TYPE_CHECKING:
    from dllint.lower.catching import Raised
    from dllint.lower.journal import Journal
    from dllint.lower.parts import Leaves, Paths
    from dllint.lower.scopes import Frame
    from dllint.lower.state import Control

#: So many places of a path are a unit of work (:meth:`Interpreter.pay`).
_PLACES_PER_UNIT: Final = 32


def here(control: Control, journal: Journal) -> Exit:
    """The end of a block that begins here."""
    return Exit(journal.depth, control.contrary, control.assumptions)


def park(m: Leaves, flow: int, writes: Writes, raised: Raised | None = None) -> None:
    """Record that a path leaves the block from the present state plus some writes, in the way that ``flow`` says."""
    end = _end_of(m.frame, flow, raised)
    if end is None or end.contrary != m.control.contrary:
        return
    if flow == RAISE and raised is not None and raised.catch is not None:
        raised.catch.arrived += [kind for kind in raised.kinds if kind not in raised.catch.arrived]
    journal = m.journal
    if end.states is None:
        end.mark, end.begun = journal.begin_level(end.level)
    own = m.frame.scope.vars if flow == RETURN else None  # nobody asks for the variables of a function that has returned
    above = [entry for entry in journal.above(end.level) if entry[0] is not own and entry[1] is not ORDER]
    state: dict[Place, Entry] = {(id(c), k): (c, k, read_place(c, k)) for c, k, _ in above}
    state.update({place: entry for place, entry in writes.items() if entry[0] is not own and entry[1] is not ORDER})
    _add(end, state, _written(m.journal, end), _first(above))
    m.pay((len(end.states or ()) + len(above)) // _PLACES_PER_UNIT)


def _end_of(frame: Frame, flow: int, raised: Raised | None) -> Exit | None:
    loop = frame.loop
    if flow == RETURN:
        return frame.returned
    if flow == RAISE:
        return raised.catch.end if raised is not None and raised.catch is not None else None
    return None if loop is None else loop.broken if flow == BREAK else loop.continued


def _written(journal: Journal, end: Exit) -> dict[Place, Entry]:
    """The places written at an end's level since the first path came, with what they held then."""
    entries = journal.at(end.level)
    if len(entries) > end.mark + end.read:
        new = entries[end.mark + end.read :]
        end.read += len(new)
        end.written = {**_first(new), **end.written}
    return end.written


def _first(entries: Iterable[Entry]) -> dict[Place, Entry]:
    """The places of a log with their contents before their first entry. The order of dict keys is left out, as it is not
    joined."""
    out: dict[Place, Entry] = {}
    for container, key, old in entries:
        if key is not ORDER:
            out.setdefault((id(container), key), (container, key, old))
    return out


def _add(end: Exit, state: dict[Place, Entry], base: dict[Place, Entry], above: dict[Place, Entry]) -> None:
    """Add a path. Places that it has not written keep their present contents; places that earlier paths have not written had,
    on those, the contents from when the first path arrived."""
    if end.states is None:
        end.states = {place: (container, key, {id(value): value}) for place, (container, key, value) in state.items()}
        return
    known = end.states
    for place in (*base, *state):
        if place not in known:
            container, key, value = base.get(place) or above.get(place) or _present(state[place])
            known[place] = (container, key, {id(value): value})
    for place, (container, key, held) in known.items():
        value = state[place][2] if place in state else read_place(container, key)
        if id(value) not in held and not (type(value) is list and value in held.values()):
            held[id(value)] = value


def _present(entry: Entry) -> Entry:
    container, key, _ = entry
    return container, key, read_place(container, key)


def leave(m: Paths, end: Exit, flow: int, own: int = NORMAL) -> int:
    """The flow after a block: the paths that have left to its end are joined with the one that ends normally or in the way
    ``own``, or replace one that leads elsewhere."""
    if end.states is None:
        return flow
    alive = flow in (NORMAL, own)
    if not alive:
        park(m, flow, {}, m.control.raised)
    resume(m, end, alive)
    return NORMAL


def resume(m: Paths, end: Exit, alive: bool) -> None:
    """Continue with the paths that have arrived at an end, joined with the present one if it is alive."""
    if end.states is None:
        return
    _set(m, end, alive)
    m.control.assumptions = end.assumptions
    close(m.journal, end)


def after(m: Paths, end: Exit, run: Callable[[], int]) -> int:
    """Execute something on the paths that have arrived at an end; the present one is undone."""
    _set(m, end, alive=False)
    m.control.assumptions = end.assumptions
    return run()


def close(journal: Journal, end: Exit) -> None:
    """Discard an end from which no path continues."""
    end.states, end.written, end.read = None, {}, 0
    if end.begun:
        journal.end_level()
        end.begun = False


def _set(m: Paths, end: Exit, alive: bool) -> None:
    """Set every place to the join of the paths' contents, and of the present one if it is alive."""
    places = {place: (c, k, [old]) for place, (c, k, old) in _written(m.journal, end).items()}
    places.update({place: (c, k, list(held.values())) for place, (c, k, held) in (end.states or {}).items()})
    if alive:
        for place, (container, key, values) in places.items():
            present = read_place(container, key)
            others = (value for value in values if value is not present and not (type(present) is list and value == present))
            places[place] = (container, key, [present, *others])
    join_places(m, places.values())
