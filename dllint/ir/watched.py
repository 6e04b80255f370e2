"""The code of definitions, which an edit may exchange: who looks at it is noted while somebody listens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

#: By ``id`` of a definition: the definition and the code that was seen.
Noted = dict[int, tuple[Any, Any]]


class _Listener:
    """What is noted at present: code that is looked at, and definitions that are made, each with its code."""

    __slots__ = ("made", "seen")

    def __init__(self) -> None:
        self.seen: Noted | None = None
        self.made: list[tuple[Any, Any]] = []


_LISTENER: Final = _Listener()


class Watched:
    """A slot that holds code. Reads and first writes are noted."""

    __slots__ = ("_slot",)

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def __get__(self, definition: Any, _owner: type | None = None) -> Any:
        if definition is None:
            return self
        code = self._slot.__get__(definition)
        if _LISTENER.seen is not None:
            _LISTENER.seen.setdefault(id(definition), (definition, code))
        return code

    def __set__(self, definition: Any, code: Any) -> None:
        self._slot.__set__(definition, code)
        if _LISTENER.seen is not None:
            _LISTENER.made.append((definition, code))

    def exchange(self, definition: Any, code: Any) -> None:
        """Give a definition other code; not noted."""
        self._slot.__set__(definition, code)

    def peek(self, definition: Any) -> Any:
        """The code of a definition; not noted."""
        return self._slot.__get__(definition)


@contextmanager
def listening() -> Iterator[tuple[Noted, list[tuple[Any, Any]]]]:
    """Note, inside, whose code is looked at and which definitions are made. What is noted inside another such context is noted
    there only."""
    outer = _LISTENER.seen, _LISTENER.made
    _LISTENER.seen, _LISTENER.made = {}, []
    try:
        yield _LISTENER.seen, _LISTENER.made
    finally:
        _LISTENER.seen, _LISTENER.made = outer


def exchange(definition: Any, code: Any) -> None:
    """Give a definition other code; not noted."""
    type(definition).__dict__["node"].exchange(definition, code)


def is_as_seen(seen: Noted) -> bool:
    """Whether definitions still have the code that was seen."""
    return all(type(definition).__dict__["node"].peek(definition) is code for definition, code in seen.values())
