"""Imported modules are shared by all texts (``lower/pending.py``), but what one text changes in them no other text sees.

Python executes each script in a process of its own. Here, places in the objects of imported modules that a text changes are
noted, and set back before another text is analysed. What modules change in each other while they are loaded stays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from dllint.ir.values import Value
from dllint.lower.journal import Entry, Journal, NotingJournal, put_place, read_place
from dllint.lower.reach import PARTS, note_reached

#: The types of values that are mutable, or hold what is.
_HOLDING: Final = frozenset({*PARTS, tuple})


class Shared:
    """The objects of the imported modules of a workspace, and the changes that the present text has made in them."""

    def __init__(self) -> None:
        #: Objects and storage, by ``id``.
        self.objects: dict[int, Any] = {}
        self.changes: list[Entry] = []

    def set_back(self) -> None:
        """Another text begins."""
        for container, key, old in reversed(self.changes):
            put_place(container, key, old)
        self.changes.clear()

    def note(self, namespace: dict[str, Value]) -> None:
        """The namespace of a module holds new values."""
        objects = self.objects
        objects[id(namespace)] = namespace
        new = [value for value in namespace.values() if type(value) in _HOLDING and id(value) not in objects]
        if new:
            note_reached(new, objects)

    def keep_only(self, namespaces: Iterable[dict[str, Value]]) -> None:
        """Other modules than these have been dropped."""
        self.objects = {}
        for namespace in namespaces:
            self.note(namespace)


class SharingJournal(NotingJournal):
    """A journal that notes what a text changes in shared objects."""

    __slots__ = ("_loading", "_shared")

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self._shared = shared
        self._loading = 0

    def enter_module(self) -> Any:
        """As of a journal; what a module does while it is loaded stays."""
        self._loading += 1
        return super().enter_module()

    def leave_module(self, outer: Any, namespace: dict[str, Any]) -> None:
        """As of a journal; what the module defines is shared."""
        self._loading -= 1
        super().leave_module(outer, namespace)
        self._shared.note(namespace)

    def note_change(self, container: Any, key: Hashable) -> None:
        """Note a change of what is shared."""
        if not self._loading and id(container) in self._shared.objects:
            self._shared.changes.append((container, key, read_place(container, key)))

    def add_item(self, container: dict[Any, Any], key: Hashable, value: Value) -> None:
        """As of a journal: any text would make the same."""
        Journal.set_item(self, container, key, value)
