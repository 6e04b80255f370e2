"""Error boundary: an internal error of dllint costs one statement.

An exception that does not belong to the analysed code is noted with the statement's place and reported as a notice. The names
that the statement binds become unknown, its other effects up to the error stay, and execution continues behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.lower.failures import note
from dllint.lower.options import RestartError
from dllint.lower.variants.variant import RefusedError
from dllint.source.binding import BINDING, bound_names
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.parts import Recovers
    from dllint.lower.scopes import Frame

#: Statements that may fail in one analysis; more of them are a fault of another kind, which ends it.
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Mark:
    """The interpreter's state at the beginning of a block, restored after a statement in it has failed."""

    frame: Frame
    control: tuple[object, ...]
    journal: int


def mark(m: Recovers) -> Mark:
    """The present state."""
    return Mark(m.frame, m.control.mark(), m.journal.depth)


def recover(m: Recovers, before: Mark, error: Exception) -> None:
    """Continue after a statement for which dllint itself has raised an error.

    Raises:
        Exception: the error, if it belongs to somebody else or too much has failed.
    """
    if isinstance(error, (RefusedError, RestartError)) or m.journal.depth < before.journal or len(m.trail.failures) >= _MOST:
        raise error
    while m.journal.depth > before.journal:
        m.journal.keep()
    m.frame = before.frame
    m.control.recover(before.control)
    statement = before.frame.statement
    note(m.trail.failures, _place(before.frame, statement), error)
    for name in dict.fromkeys(bound(statement)):
        m.store(name, Unknown("internal-error", name))


def _place(frame: Frame, statement: cst.CSTNode) -> str:
    try:
        first = frame.document.span(statement).first
    except (AttributeError, LookupError):  # text that the interpreter made itself
        return f"a statement of {frame.name or 'the module'} could not be analysed"
    return f"line {first.line} of {frame.document.path.name} could not be analysed"


def bound(statement: cst.CSTNode | None) -> Iterator[str]:
    """The names that a statement may bind where it stands."""
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        yield statement.name.value
    elif isinstance(statement, (cst.Import, cst.ImportFrom)):
        return
    elif statement is not None:
        for part in walk(statement):
            if isinstance(part, BINDING):
                yield from bound_names(part.target)
            elif isinstance(part, cst.AsName):
                yield from bound_names(part.name)


def bound_ahead(frame: Frame, node: cst.CSTNode) -> frozenset[tuple[int, str]]:
    """The variables, with their scope, that a loop gives another value before each pass: no pass sees what they held before."""
    names = bound_names(node.target) if isinstance(node, cst.For) else ()
    return frozenset((id(frame.scope.vars), name) for name in names)
