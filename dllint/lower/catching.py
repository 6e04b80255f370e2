"""Exceptions on their way, the statements that catch them, and which handler takes which class."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Final

from dllint.ir.values import ClassVal, LibSymbol, Value
from dllint.lower import mro
from dllint.lower.ends import Exit

#: Classes of which an exception may be.
Kinds = tuple[Value, ...]


#: Builtin bases of library exceptions that are no plain ``Exception``.
_BASES: Final = {
    "torch.cuda.OutOfMemoryError": "RuntimeError",
    "torch.OutOfMemoryError": "RuntimeError",
    "numpy.linalg.LinAlgError": "ValueError",
    "numpy.AxisError": "ValueError",
    "numpy.exceptions.AxisError": "ValueError",
}


EVERYTHING: Final = frozenset({"builtins.Exception", "builtins.BaseException"})


@dataclass(slots=True, eq=False)
class Catch:
    """A statement in force that catches errors: the kinds of each handler, and whether it expects those of operations."""

    handlers: tuple[Kinds, ...]
    expects: tuple[bool, ...]
    #: Where paths wait that raise something which a handler takes.
    end: Exit
    #: Nesting of undecided branches where the statement begins.
    undecided: int
    #: The handlers of what arms of undecided branches inside it raise.
    reached: set[int] = field(default_factory=set)
    #: Of a ``finally``: what passes through it.
    passing: list[Value] | None = None

    def handlers_for(self, raised: Kinds) -> list[int]:
        """The handlers that take or may take an exception of one of some kinds, up to the first that surely does."""
        found = []
        for number, kinds in enumerate(self.handlers):
            answer = takes(kinds, raised)
            if answer is not False:
                found.append(number)
            if answer:
                break
        return found

    def surely_takes(self, raised: Kinds) -> bool:
        """Whether the handlers catch every exception of one of some kinds."""
        return any(takes(kinds, raised) for kinds in self.handlers)


class RaisedError(Exception):
    """The analysed code raises an exception here, which a statement around it takes."""


@dataclass(slots=True, eq=False)
class Raised:
    """An exception that is being propagated: its possible classes, the next statement that stops it (including a ``finally``),
    and the statement that catches it, if any does."""

    kinds: Kinds
    catch: Catch | None
    taker: Catch | None


def takes(handler: Kinds, raised: Kinds) -> bool | None:
    """Whether a handler for some classes takes an exception of one of several classes; ``None`` if it may."""
    answers = {_takes_any([_takes(kind, one) for kind in handler]) for one in raised}
    return answers.pop() if len(answers) == 1 else None


def _takes_any(answers: list[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


def _takes(handler: Value, raised: Value) -> bool | None:
    if isinstance(handler, LibSymbol) and handler.name in EVERYTHING:
        return True
    if isinstance(handler, ClassVal) or isinstance(raised, ClassVal):
        return mro.is_subclass(raised, handler) if isinstance(raised, ClassVal) else False
    if not isinstance(handler, LibSymbol) or not isinstance(raised, LibSymbol):
        return None
    return handler == raised or _is_derived(raised.name, handler.name)


def _is_derived(raised: str, handler: str) -> bool | None:
    """Whether a class of exceptions of Python or a library derives from another."""
    base, other = _class(raised), _class(handler)
    if base is not None and other is not None and handler not in _BASES:
        return issubclass(base, other)
    return False if raised.startswith("builtins.") else None


def _class(name: str) -> type[BaseException] | None:
    """The builtin exception that a class is or derives from, as far as that is known."""
    root, _, last = name.rpartition(".")
    found = getattr(builtins, last if root == "builtins" else _BASES.get(name, ""), None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None
