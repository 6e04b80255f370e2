"""The undo log that lets branches be executed from one state and joined.

Every change of a mutable abstract value goes through :class:`Journal`. Places are ``(container, key)``: a dict and one of
its keys, a list as a whole (its key is the value whose items it holds, if that is known), or an object and an attribute name.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from dllint.domains.stated import Stated
from dllint.ir.values import Value
from dllint.lower.scopes import MISSING

Entry = tuple[Any, Any, Any]
#: ``(id(container), key)``.
Place = tuple[int, Any]
#: The last value of each place an arm wrote.
Writes = dict[Place, Entry]


#: The key of the place that holds the order of a mapping's keys.
ORDER = "order of the keys", object()


def read_place(container: Any, key: Any) -> Any:
    """The present content of a place."""
    if key is ORDER:
        return tuple(container)
    if isinstance(container, dict):
        return container.get(key, MISSING)
    if type(container) is list:
        return list(container)
    return getattr(container, key)


def put_place(container: Any, key: Any, value: Any) -> None:
    """Set a place without logging."""
    if key is ORDER:
        held = dict(container)
        container.clear()
        container.update({name: held[name] for name in (*value, *held) if name in held})
    elif isinstance(container, dict):
        if value is MISSING:
            container.pop(key, None)
        else:
            container[key] = value
    elif type(container) is list:
        container[:] = value
    else:
        setattr(container, key, value)


class Journal:
    """A log for each open branch, the innermost one in ``log``. Outside of all branches (level 0) it is ``None``, so that
    straight-line code pays nothing. ``created`` holds by ``id`` the containers that the present pass of a loop has
    made, and keeps them alive; ``None`` outside of loops."""

    __slots__ = ("_needed", "_outer", "created", "log", "owners")

    def __init__(self) -> None:
        self.log: list[Entry] | None = None
        self._outer: list[list[Entry] | None] = []
        #: How many ends of blocks need the log of level 0.
        self._needed = 0
        self.created: dict[int, Any] | None = None
        #: The values of which mappings are the entries, by ``id`` of the mapping.
        self.owners: dict[int, Any] = {}

    def reset(self) -> None:
        """Forget all open branches, and passes of loops."""
        self.log, self._outer, self._needed, self.created = None, [], 0, None
        self.owners = {}

    def note_created(self, container: Any) -> None:
        """Record a container made in this pass of a loop; its initial content needs no log."""
        if self.created is not None:
            self.created[id(container)] = container

    def note_owner(self, container: dict[Any, Any], owner: Any) -> None:
        """Entries of a dict are about to be changed in a branch."""
        if self.log is not None:
            self.owners[id(container)] = owner

    def owner(self, container: Any) -> Any:
        """The dict whose entries a mapping holds, as far as that has been noted."""
        found = self.owners.get(id(container))
        return found if found is not None and found.items is container and found.of is None else None

    def open_pass(self) -> dict[int, Any] | None:
        """Start a pass of a loop; pass the result to :meth:`close_pass`."""
        outer, self.created = self.created, {}
        return outer

    def close_pass(self, outer: dict[int, Any] | None) -> dict[int, Any]:
        """End a pass; returns the containers that it has made, which also belong to the enclosing pass."""
        made = self.created or {}
        if outer is not None:
            outer.update(made)
        self.created = outer
        return made

    def set_item(self, container: dict[Any, Any], key: Hashable, value: Value | Mapping[str, Stated]) -> None:
        """``container[key] = value``, logged."""
        if self.log is not None:
            self.log.append((container, key, container.get(key, MISSING)))
        container[key] = value

    def add_item(self, container: dict[Any, Any], key: Hashable, value: Value) -> None:
        """``container[key] = value`` for a value that is made when it is first asked for, logged."""
        self.set_item(container, key, value)

    def set_attribute(self, container: Any, name: str, value: Any) -> None:
        """``container.name = value`` on one of our value classes, logged."""
        if self.log is not None:
            self.log.append((container, name, getattr(container, name)))
        setattr(container, name, value)

    def before_list_change(self, container: list[Any], owner: Any = None) -> None:
        """Log a list's content; to be called before it is changed in place. ``owner`` is the value whose items it holds."""
        if self.log is not None:
            self.log.append((container, owner, list(container)))

    def delete_item(self, container: dict[Any, Any], key: Hashable) -> None:
        """``del container[key]`` if it is there, logged."""
        if key in container:
            if self.log is not None:
                self.log += [(container, ORDER, tuple(container)), (container, key, container[key])]
            del container[key]

    def set_place(self, container: Any, key: Hashable, value: Any) -> None:
        """Set any place, logged."""
        if self.log is not None:
            self.log.append((container, key, read_place(container, key)))
        put_place(container, key, value)

    def note_lasting(self, container: object, *keys: Hashable) -> None:
        """Places are about to be changed for good: a branch that is undone leaves them changed, since what they tell then
        holds on every path."""

    def enter_module(self) -> Any:
        """Start executing statements of an imported module, outside of any branch; pass the result to :meth:`leave_module`."""
        outer = self.log, self._outer, self._needed, self.created
        self.reset()
        return outer

    def leave_module(self, outer: Any, _namespace: dict[str, Any]) -> None:
        """Return to the importing code; the module's namespace holds what its statements define."""
        self.log, self._outer, self._needed, self.created = outer

    # --- levels ---------------------------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """The number of open branches: the present level."""
        return len(self._outer)

    def at(self, level: int) -> list[Entry]:
        """The log of a level."""
        return (self.log if level == self.depth else self._outer[level]) or []

    def above(self, level: int) -> list[Entry]:
        """The log entries of the branches inside a level, in order."""
        return [entry for inner in range(level + 1, self.depth + 1) for entry in self.at(inner)]

    def begin_level(self, level: int) -> tuple[int, bool]:
        """Log a level from here on: returns the number of its entries so far, and whether :meth:`end_level` is to be called
        when that log is no longer needed (of level 0, which is only logged while somebody needs it)."""
        if level == 0:
            if self._needed == 0:
                self._log_outermost([])
            self._needed += 1
        known = self.at(level)
        return len(known), level == 0

    def end_level(self) -> None:
        """Undo one call of :meth:`begin_level` for level 0."""
        self._needed -= 1
        if self._needed == 0:
            self._log_outermost(None)

    def _log_outermost(self, log: list[Entry] | None) -> None:
        if self._outer:
            self._outer[0] = log
        else:
            self.log = log

    # --- branches -------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Start logging a branch, until :meth:`undo` or :meth:`keep`."""
        self._outer.append(self.log)
        self.log = []

    def undo(self) -> Writes:
        """End the branch and restore the state before it; returns the places that it had written."""
        log = self.log or []
        writes: Writes = {(id(c), k): (c, k, read_place(c, k)) for c, k, _ in log}
        for container, key, old in reversed(log):
            put_place(container, key, old)
        self.log = self._outer.pop()
        return writes

    def keep(self) -> None:
        """End the branch and keep its state."""
        inner, self.log = self.log or [], self._outer.pop()
        if self.log is not None:
            self.log.extend(inner)

    def redo(self, writes: Writes) -> None:
        """Apply the writes of an undone branch, logged in the enclosing branch."""
        for container, key, value in writes.values():
            self.set_place(container, key, value)


class NotingJournal(Journal):
    """A journal that is told of each place before it is changed, inside of branches and outside."""

    __slots__ = ()

    def note_change(self, container: Any, key: Hashable) -> None:
        """A place is about to be changed."""
        raise NotImplementedError

    def set_item(self, container: dict[Any, Any], key: Hashable, value: Value | Mapping[str, Stated]) -> None:
        """As of a journal, noted."""
        self.note_change(container, key)
        super().set_item(container, key, value)

    def set_attribute(self, container: Any, name: str, value: Any) -> None:
        """As of a journal, noted."""
        self.note_change(container, name)
        super().set_attribute(container, name, value)

    def before_list_change(self, container: list[Any], owner: Any = None) -> None:
        """As of a journal, noted."""
        self.note_change(container, owner)
        super().before_list_change(container, owner)

    def delete_item(self, container: dict[Any, Any], key: Hashable) -> None:
        """As of a journal, noted."""
        self.note_change(container, ORDER)
        self.note_change(container, key)
        super().delete_item(container, key)

    def set_place(self, container: Any, key: Hashable, value: Any) -> None:
        """As of a journal, noted."""
        self.note_change(container, key)
        super().set_place(container, key, value)
