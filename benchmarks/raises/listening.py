"""The exceptions that the interpreter believes in, overheard where it raises them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import libcst as cst

from dllint.ir.program import Framework
from dllint.ir.values import ClassVal, LibSymbol
from dllint.lower import exceptions
from dllint.lower.catching import Kinds, Raised, RaisedError
from dllint.lower.dispatch import EXECUTE
from dllint.lower.machine import Interpreter
from dllint.lower.parts import Leaves, Raises
from dllint.lower.scopes import Frame
from dllint.lower.wording import text_of

#: The entry of what a program does when it is run.
MODULE: Final = "<module>"
_LONGEST: Final = 100


@dataclass(frozen=True, slots=True)
class Belief:
    """An exception that is believed in: its kind (``AttributeError``, several joined by ``|``), what part of the interpreter
    believes in it, the lines (from 1) of the statement and the text of the expression, and the program that is traced.

    ``certain``: the program is the top level and nothing is assumed, so that every run gets there. ``caught``: a statement
    around takes the exception; otherwise execution ends or goes on behind it. ``open``: other paths lead past it, as it is in
    an arm of a branch that is not decided, or behind one that leaves. Guards are no beliefs: what a ``raise`` or an assertion
    raises there.
    """

    kind: str
    cause: str
    path: Path
    first: int
    last: int
    text: str
    entry: str
    certain: bool
    caught: bool
    open: bool

    @property
    def place(self) -> tuple[Path, int, str]:
        """What two beliefs about the same share."""
        return self.path, self.first, self.kind


@contextmanager
def listening() -> Iterator[list[Belief]]:
    """Collect what is believed while the context is open, in the order in which it is."""
    heard: list[Belief] = []
    builtin, raising, statement = exceptions.raise_builtin, exceptions.raise_fault, EXECUTE[cst.Raise]

    def raise_builtin(m: Raises, name: str) -> None:
        assert isinstance(m, Interpreter)
        kinds: Kinds = (LibSymbol(f"builtins.{name}"),)
        raised = exceptions.on_its_way(m.control, kinds)
        if name != "AssertionError" or _is_surely_reached(m, raised):
            heard.append(_belief(m, kinds, _caller(), caught=raised.taker is not None))
        builtin(m, name)

    def raise_fault(m: Leaves, framework: Framework, fault: str) -> None:
        assert isinstance(m, Interpreter)
        try:
            raising(m, framework, fault)
        except RaisedError:
            assert m.control.raised is not None
            heard.append(_belief(m, m.control.raised.kinds, f"fault {fault}", caught=True))
            raise

    def execute_raise(m: Interpreter, node: cst.Raise) -> int:
        flow: int = statement(m, node)
        raised = m.control.raised
        if raised is not None and _is_surely_reached(m, raised):
            heard.append(_belief(m, raised.kinds, "raise", caught=raised.taker is not None))
        return flow

    exceptions.raise_builtin, exceptions.raise_fault, EXECUTE[cst.Raise] = raise_builtin, raise_fault, execute_raise
    try:
        yield heard
    finally:
        exceptions.raise_builtin, exceptions.raise_fault, EXECUTE[cst.Raise] = builtin, raising, statement


def _is_surely_reached(m: Interpreter, raised: Raised) -> bool:
    """Whether what is raised is no guard: it stands in no arm of an open branch, in none that a default chooses, which is given
    up then, and the program is not run under a setting, which is refused."""
    control = m.control
    if raised.taker is None and _is_open(m):
        return False
    chosen = any(condition.default is not None and not condition.behind_error for condition in control.path)
    return not (control.undecided or control.contrary or (raised.taker is None and (chosen or m.run.active)))


def _is_open(m: Interpreter) -> bool:
    """Whether other paths lead past here: in an arm of a branch that is not decided, or behind one that leaves."""
    if m.control.undecided or m.run.arms:
        return True
    frame: Frame | None = m.frame
    while frame is not None:
        ends = [frame.returned, *((frame.loop.broken, frame.loop.continued) if frame.loop is not None else ())]
        if any(end is not None and end.states is not None for end in ends):
            return True
        frame = frame.parent
    return False


def _caller() -> str:
    """The function that calls the one that asks: ``attributes._absent``."""
    frame = sys._getframe(2)
    return f"{frame.f_globals['__name__'].rpartition('.')[2]}.{frame.f_code.co_name}"


def _belief(m: Interpreter, kinds: Kinds, cause: str, *, caught: bool) -> Belief:
    document, statement = m.frame.document, m.frame.statement
    node = m.frame.node if m.frame.node is not None else statement
    first = last = 0
    if statement is not None:
        span = document.span(statement)
        first, last = span.first.line, span.last.line
    text = " ".join(text_of(node).split())[:_LONGEST] if node is not None else ""
    control = m.control
    is_open = _is_open(m)
    nested = is_open or control.contrary or control.passes
    certain = m.program.entry == MODULE and not nested and all(condition.behind_error for condition in control.path)
    return Belief(_name(kinds), cause, document.path, first, last, text, m.program.entry, certain, caught, is_open)


def _name(kinds: Kinds) -> str:
    names = (
        kind.name.rpartition(".")[2] if isinstance(kind, LibSymbol) else kind.name if isinstance(kind, ClassVal) else "?"
        for kind in kinds
    )
    return "|".join(dict.fromkeys(names))
