"""Tables of what the modules of operations declare, which are imported when something of theirs is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

T = TypeVar("T")
D = TypeVar("D")


class Declared(dict[str, T]):
    """Entries by name; ``families`` has the module below ``dllint.ops`` that declares each. To go through all of them imports
    all of these modules."""

    def __init__(self, families: Mapping[str, str]) -> None:
        super().__init__()
        self._families = families

    def declare(self, name: str, entry: T) -> None:
        """Add what a module declares.

        Raises:
            ValueError: there is an entry of this name.
        """
        if super().__contains__(name):
            raise ValueError(f"{name} is declared twice")
        self[name] = entry

    def __missing__(self, name: str) -> T:
        """The entry of a module that is not imported yet. Raises KeyError, if there is none."""
        import_module(f"dllint.ops.{self._families[name]}")
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        """Whether there is an entry, declared or to be."""
        return name in self._families or super().__contains__(name)

    @overload
    def get(self, name: str, default: None = None, /) -> T | None: ...

    @overload
    def get(self, name: str, default: T, /) -> T: ...

    @overload
    def get(self, name: str, default: D, /) -> T | D: ...

    def get(self, name: str, default: T | D | None = None, /) -> T | D | None:
        """The entry of a name, ``default`` if there is none."""
        try:
            return self[name]
        except KeyError:
            return default

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.keys())

    def __len__(self) -> int:
        """How many there are."""
        return len(self.keys())

    def keys(self) -> dict_keys[str, T]:
        """The names."""
        self._declare_all()
        return super().keys()

    def values(self) -> dict_values[str, T]:
        """The entries."""
        self._declare_all()
        return super().values()

    def items(self) -> dict_items[str, T]:
        """The entries with their names."""
        self._declare_all()
        return super().items()

    def _declare_all(self) -> None:
        for name in self._families:
            self[name]
