"""What a run of an entry has come to at its half: the object is made, and its method is run next.

Such a state can be gone on from several times: nothing that is done afterwards changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from dllint.ir.program import Condition, Fault, Op, Program
from dllint.ir.values import Value
from dllint.lower.options import RestartError
from dllint.lower.state import Control, Run

if TYPE_CHECKING:
    from dllint.lower.entries import Entry
    from dllint.lower.machine import Interpreter
    from dllint.lower.scopes import Frame

T = TypeVar("T", Control, Program, Run)


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """The first half of a run. ``made`` is the object, empty if an error of ours has ended the run; ``restarts``: a size of an
    input has been fixed, so that the run begins anew."""

    made: tuple[Value, ...]
    restarts: bool
    run: Run
    program: Program
    control: Control
    #: The operations with faults, which are weighed when the run has ended.
    faulty: tuple[tuple[Op, tuple[Fault, ...], tuple[Condition, ...]], ...]

    def go_on(self, m: Interpreter, base: Frame, entry: Entry) -> Callable[[], None]:
        """Be again where the half has ended. Returns the other half."""
        m.reset(base)
        m.run, m.program, m.control = _copy(self.run), _copy(self.program), _copy(self.control)
        for op, faults, path in self.faulty:
            op.faults, op.path = faults, path
        if self.restarts:
            return _restart
        return partial(_in_turn, entry, self.made)

    def values(self) -> Iterator[Value]:
        """What the other half finds of objects that belong to this one."""
        yield from self.made
        for table in (self.run.values, self.run.defaults):
            yield from table.values()


def begun(m: Interpreter, made: list[Value], *, restarts: bool) -> Begun:
    """The present state of a run."""
    faulty = tuple((op, op.faults, op.path) for op in m.program.ops if op.faults)
    return Begun(tuple(made), restarts, _copy(m.run), _copy(m.program), _copy(m.control), faulty)


def _in_turn(entry: Entry, made: tuple[Value, ...]) -> None:
    for value in made:
        if entry.halves is not None:
            entry.halves.use(value)


def _restart() -> None:
    raise RestartError


def _copy(record: T) -> T:
    """A copy of a record and of its lists and mappings, in which lists may stand."""
    out = replace(record)
    for name in [one.name for one in fields(record)]:
        value = getattr(record, name)
        if isinstance(value, list):
            setattr(out, name, list(value))
        elif isinstance(value, dict):
            setattr(out, name, {key: list(item) if type(item) is list else item for key, item in value.items()})
    return out
