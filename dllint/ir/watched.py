"""The code of definitions, which an edit may exchange: who looks at it is noted while somebody listens."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import MemberDescriptorType
from typing import Final, Protocol, TypeAlias, TypeVar

T = TypeVar("T")


class Definition(Protocol):
    """A function or class of a document; its code is in the slot ``node``."""

    @property
    def document(self) -> object:
        """The document that it stands in."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question about the code of a definition and what belongs to it; ``about`` are the definition and what else is asked."""

    ask: Callable[..., object]
    about: tuple[Definition, *tuple[Hashable, ...]]

    @property
    def document(self) -> object:
        """The document that the definition stands in."""
        return self.about[0].document


#: Definitions with their code.
Made: TypeAlias = list[tuple[Definition, object]]
#: By ``id`` of a definition: the definition and the code that was seen; by what was asked: the question and its answer.
Noted: TypeAlias = dict[Hashable, tuple[Definition, object]]
_SLOT: Final = "node"
#: Where a definition keeps the code that it was made from, if it does: it tells definitions apart and is never exchanged.
_FIRST: Final = "origin_node"


class _Listener:
    """What is noted at present: code that is looked at, and definitions that are made."""

    __slots__ = ("made", "seen")

    def __init__(self) -> None:
        self.seen: Noted | None = None
        self.made: Made = []


_LISTENER: Final = _Listener()


class _Watched:
    """A slot that holds code. Reads and writes are noted. The code that a definition is made from also goes to ``first``."""

    __slots__ = ("first", "slot")

    def __init__(self, slot: MemberDescriptorType, first: MemberDescriptorType | None) -> None:
        self.slot, self.first = slot, first

    def __get__(self, definition: Definition | None, _owner: type | None = None) -> object:
        if definition is None:
            return self
        code: object = self.slot.__get__(definition)
        if _LISTENER.seen is not None:
            _LISTENER.seen.setdefault(id(definition), (definition, code))
        return code

    def __set__(self, definition: Definition, code: object) -> None:
        self.slot.__set__(definition, code)
        if self.first is not None:
            self.first.__set__(definition, code)
        if _LISTENER.seen is not None:
            _LISTENER.made.append((definition, code))


def watch(definitions: type[Definition]) -> None:
    """Have the code of all definitions of a class watched."""
    setattr(definitions, _SLOT, _Watched(definitions.__dict__[_SLOT], definitions.__dict__.get(_FIRST)))


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


def answer(ask: Callable[..., T], *about: *tuple[Definition, *tuple[Hashable, ...]]) -> T:
    """What a question about code is answered with (``ask(*about)``): who asks depends on the answer, and not on the code."""
    noted, _LISTENER.seen = _LISTENER.seen, None
    try:
        found = ask(*about)
    finally:
        _LISTENER.seen = noted
    if noted is not None:
        noted.setdefault((ask, *map(id, about)), (Question(ask, about), found))
    return found


def is_as_seen(*seen: Noted) -> bool:
    """Whether definitions still have the code that was seen, and questions the same answers. What several have asked is
    answered once."""
    present: dict[Hashable, object] = {}
    for noted in seen:
        for key, (subject, found) in noted.items():
            if key not in present:
                present[key] = _present(subject)
            if present[key] != found:
                return False
    return True


def _present(subject: Definition) -> object:
    """The present code of a definition, or the present answer to a question."""
    if isinstance(subject, Question):
        return answer(subject.ask, *subject.about)
    return _slot_of(subject).__get__(subject)


def _slot_of(definition: Definition) -> MemberDescriptorType:
    watched: _Watched = type(definition).__dict__[_SLOT]
    return watched.slot
