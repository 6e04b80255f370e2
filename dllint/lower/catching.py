"""Exceptions on their way, the statements that catch them, and which handler takes which class."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
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
    #: Whether it is a ``finally``, through which exceptions pass, and whether a jump in that may end them.
    final: bool = False
    jumps: bool = False
    #: The classes of the exceptions with which paths wait at the end.
    arrived: list[Value] = field(default_factory=list)

    def handlers_for(self, raised: Kinds) -> list[int]:
        """The handlers that take or may take an exception of one of some classes: of each class, those up to the first that
        surely does."""
        found: set[int] = set()
        for one in raised:
            for number, kinds in enumerate(self.handlers):
                answer = takes(kinds, one)
                if answer is not False:
                    found.add(number)
                if answer:
                    break
        return sorted(found)

    def left_over(self, raised: Kinds) -> Kinds:
        """Those of some classes of exceptions that no handler surely takes."""
        return tuple(one for one in raised if not any(takes(kinds, one) for kinds in self.handlers))


class RaisedError(Exception):
    """The analysed code raises an exception here, which a statement around it takes."""


@dataclass(slots=True, eq=False)
class Raised:
    """An exception that is being propagated: its possible classes, the next statement that stops it (including a ``finally``,
    whose own exception or jump may replace it), and the statement that catches it, if any does."""

    kinds: Kinds
    catch: Catch | None
    taker: Catch | None


def takes(handler: Kinds, raised: Value) -> bool | None:
    """Whether a handler for some classes takes an exception of a class; ``None`` if it may."""
    answers = [_takes(kind, raised) for kind in handler]
    return True if True in answers else None if None in answers else False


def united(several: Sequence[Raised]) -> Raised:
    """One of several exceptions that the same statement stops."""
    kinds = dict.fromkeys(kind for raised in several for kind in raised.kinds)
    taker = next((raised.taker for raised in several if raised.taker is not None), None)
    return Raised(tuple(kinds), several[0].catch, taker)


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
