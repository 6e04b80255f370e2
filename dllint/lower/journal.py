"""The undo log that lets branches be executed from one state and joined.

Every change of a mutable abstract value goes through :class:`Journal`. Places are ``(container, key)``: a dict and one of
its keys, a list as a whole (key ``None``), or an object and an attribute name.
"""

from __future__ import annotations

from typing import Any

from dllint.lower.scopes import MISSING

Entry = tuple[Any, Any, Any]
#: The last value of each place an arm wrote: ``(id(container), key) -> (container, key, value)``.
Writes = dict[tuple[int, Any], Entry]


def read_place(container: Any, key: Any) -> Any:
    """The present content of a place."""
    if isinstance(container, dict):
        return container.get(key, MISSING)
    if type(container) is list:
        return list(container)
    return getattr(container, key)


def put_place(container: Any, key: Any, value: Any) -> None:
    """Set a place without logging."""
    if isinstance(container, dict):
        if value is MISSING:
            container.pop(key, None)
        else:
            container[key] = value
    elif type(container) is list:
        container[:] = value
    else:
        setattr(container, key, value)


class Journal:
    """The log. ``log`` is ``None`` while no branch is open, so that straight-line code pays nothing."""

    __slots__ = ("log",)

    def __init__(self) -> None:
        self.log: list[Entry] | None = None

    def set_item(self, container: dict[Any, Any], key: Any, value: Any) -> None:
        """``container[key] = value``, logged."""
        if self.log is not None:
            self.log.append((container, key, container.get(key, MISSING)))
        container[key] = value

    def add_item(self, container: dict[Any, Any], key: Any, value: Any) -> None:
        """``container[key] = value`` for a value that is made when it is first asked for, logged."""
        self.set_item(container, key, value)

    def set_attribute(self, container: Any, name: str, value: Any) -> None:
        """``container.name = value`` on one of our value classes, logged."""
        if self.log is not None:
            self.log.append((container, name, getattr(container, name)))
        setattr(container, name, value)

    def before_list_change(self, container: list[Any]) -> None:
        """Log a list's content; to be called before it is changed in place."""
        if self.log is not None:
            self.log.append((container, None, list(container)))

    def delete_item(self, container: dict[Any, Any], key: Any) -> None:
        """``del container[key]`` if it is there, logged."""
        if key in container:
            if self.log is not None:
                self.log.append((container, key, container[key]))
            del container[key]

    def set_place(self, container: Any, key: Any, value: Any) -> None:
        """Set any place, logged."""
        if self.log is not None:
            self.log.append((container, key, read_place(container, key)))
        put_place(container, key, value)

    def enter_module(self) -> Any:
        """Statements of an imported module are executed from here on, outside of any branch; for :meth:`leave_module`."""
        outer, self.log = self.log, None
        return outer

    def leave_module(self, outer: Any, _namespace: dict[str, Any]) -> None:
        """They have been executed, and the module's namespace holds what they define."""
        self.log = outer

    def open(self) -> list[Entry] | None:
        """Start logging a branch; the result is to be given to :meth:`undo` or :meth:`keep`."""
        outer, self.log = self.log, []
        return outer

    def undo(self, outer: list[Entry] | None) -> Writes:
        """End the branch and restore the state before it; returns what it had written."""
        log = self.log or []
        writes: Writes = {(id(c), k): (c, k, read_place(c, k)) for c, k, _ in log}
        for container, key, old in reversed(log):
            put_place(container, key, old)
        self.log = outer
        return writes

    def keep(self, outer: list[Entry] | None) -> None:
        """End the branch and keep its state."""
        if outer is not None:
            outer.extend(self.log or [])
        self.log = outer

    def redo(self, writes: Writes) -> None:
        """Apply what an undone branch had written, logged in the enclosing branch."""
        for container, key, value in writes.values():
            self.set_place(container, key, value)
