"""The code of definitions, which an edit may exchange: who looks at it is noted while somebody listens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import MemberDescriptorType
from typing import Final, Protocol, TypeAlias


class Definition(Protocol):
    """A function or class of a document; its code is in the slot ``node``."""

    @property
    def document(self) -> object:
        """The document that it stands in."""
        ...


#: Definitions with their code.
Made: TypeAlias = list[tuple[Definition, object]]
#: By ``id`` of a definition: the definition and the code that was seen.
Noted: TypeAlias = dict[int, tuple[Definition, object]]
_SLOT: Final = "node"


class _Listener:
    """What is noted at present: code that is looked at, and definitions that are made."""

    __slots__ = ("made", "seen")

    def __init__(self) -> None:
        self.seen: Noted | None = None
        self.made: Made = []


_LISTENER: Final = _Listener()


class _Watched:
    """A slot that holds code. Reads and writes are noted."""

    __slots__ = ("slot",)

    def __init__(self, slot: MemberDescriptorType) -> None:
        self.slot = slot

    def __get__(self, definition: Definition | None, _owner: type | None = None) -> object:
        if definition is None:
            return self
        code: object = self.slot.__get__(definition)
        if _LISTENER.seen is not None:
            _LISTENER.seen.setdefault(id(definition), (definition, code))
        return code

    def __set__(self, definition: Definition, code: object) -> None:
        self.slot.__set__(definition, code)
        if _LISTENER.seen is not None:
            _LISTENER.made.append((definition, code))


def watch(definitions: type[Definition]) -> None:
    """Have the code of all definitions of a class watched."""
    setattr(definitions, _SLOT, _Watched(definitions.__dict__[_SLOT]))


@contextmanager
def listening() -> Iterator[tuple[Noted, Made]]:
    """Note, inside, whose code is looked at and which definitions are made. What is noted inside another such context is noted
    there only."""
    outer = _LISTENER.seen, _LISTENER.made
    seen, made = _LISTENER.seen, _LISTENER.made = Noted(), Made()
    try:
        yield seen, made
    finally:
        _LISTENER.seen, _LISTENER.made = outer


def exchange(definition: Definition, code: object) -> None:
    """Give a definition other code; not noted."""
    _slot_of(definition).__set__(definition, code)


def is_as_seen(seen: Noted) -> bool:
    """Whether definitions still have the code that was seen."""
    return all(_slot_of(definition).__get__(definition) is code for definition, code in seen.values())


def _slot_of(definition: Definition) -> MemberDescriptorType:
    watched: _Watched = type(definition).__dict__[_SLOT]
    return watched.slot
