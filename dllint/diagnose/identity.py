"""Maps keyed by the identity of objects of the user's program.

Objects are told apart by identity and held weakly. Classes of the user's may define ``__hash__``, ``__eq__``, ``__len__`` and
``__bool__`` as they like (metrics that hash their state, modules that are lists): none of these is ever called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar, overload
from weakref import ref

K = TypeVar("K")
V = TypeVar("V")


class IdentityMap(Generic[K, V]):
    """Values by object; an entry goes with its object. The order is that of insertion."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[ref[K], V]] = {}

    def __contains__(self, key: object) -> bool:
        entry = self._entries.get(id(key))
        return entry is not None and entry[0]() is key

    def __getitem__(self, key: K) -> V:
        known, value = self._entries[id(key)]
        if known() is not key:
            raise KeyError(id(key))
        return value

    def __setitem__(self, key: K, value: V) -> None:
        number, entries = id(key), self._entries

        def gone(known: ref[K]) -> None:
            # Its number may belong to another object by now.
            if number in entries and entries[number][0] is known:
                del entries[number]

        # An entry that is there keeps its place, but its value changes.
        entries[number] = (entries[number][0] if key in self else ref(key, gone)), value

    @overload
    def get(self, key: K) -> V | None: ...

    @overload
    def get(self, key: K, default: V) -> V: ...

    def get(self, key: K, default: V | None = None) -> V | None:
        """The value of an object, if it is known."""
        entry = self._entries.get(id(key))
        return entry[1] if entry is not None and entry[0]() is key else default

    def setdefault(self, key: K, default: V) -> V:
        """The value of an object, which is ``default`` from now on if there was none."""
        if key not in self:
            self[key] = default
        return self[key]

    def first(self, *keys: object) -> V | None:
        """The value of the first of some objects that is known."""
        entries = (self._entries.get(id(key)) for key in keys)
        return next((entry[1] for entry, key in zip(entries, keys, strict=True) if entry and entry[0]() is key), None)

    def items(self) -> Iterator[tuple[K, V]]:
        """The objects that are still there, with their values."""
        for known, value in list(self._entries.values()):
            key = known()
            if key is not None:
                yield key, value

    def values(self) -> Iterator[V]:
        """The values of the objects that are still there."""
        return (value for _, value in self.items())

    def __iter__(self) -> Iterator[K]:
        return (key for key, _ in self.items())

    def __len__(self) -> int:
        return sum(1 for _ in self.items())
