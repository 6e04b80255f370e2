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
from dllint.lower.variants.variant import RefusedError

if TYPE_CHECKING:
    from dllint.lower.entries import Entry
    from dllint.lower.scopes import Frame

T = TypeVar("T", Control, Program, Run)
#: Why a run goes no further: a size of an input has been fixed, so that it begins anew, or the code rejects the setting.
Reason = type[RestartError] | type[RefusedError]


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """The first half of a run. ``objects`` is the object, empty if an error of ours has ended the run, or what has
    ``stopped`` it."""

    objects: tuple[Value, ...]
    stopped: Reason | None
    run: Run
    program: Program
    control: Control
    #: The operations with faults, which are weighed when the run has ended.
    faulty: tuple[tuple[Op, tuple[Fault, ...], tuple[Condition, ...]], ...]

    @classmethod
    def of(cls, run: Run, program: Program, control: Control, objects: list[Value], stopped: Reason | None) -> Begun:
        """The present state of a run."""
        faulty = tuple((op, op.faults, op.path) for op in program.ops if op.faults)
        return cls(tuple(objects), stopped, _copy(run), _copy(program), _copy(control), faulty)

    def state(self, frame: Frame) -> tuple[Run, Program, Frame, Control]:
        """What to go on with where the half has ended (:meth:`Interpreter.begin`)."""
        for op, faults, path in self.faulty:
            op.faults, op.path = faults, path
        return _copy(self.run), _copy(self.program), frame, _copy(self.control)

    def other_half(self, entry: Entry) -> Callable[[], None]:
        """What is left to be done."""
        return partial(_stop, self.stopped) if self.stopped is not None else partial(_in_turn, entry, self.objects)

    def values(self) -> Iterator[Value]:
        """What the other half finds of objects that belong to this one."""
        yield from self.objects
        for table in (self.run.values, self.run.defaults):
            yield from table.values()


def _in_turn(entry: Entry, objects: tuple[Value, ...]) -> None:
    for value in objects:
        if entry.halves is not None:
            entry.halves.use(value)


def _stop(reason: Reason) -> None:
    raise reason


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
