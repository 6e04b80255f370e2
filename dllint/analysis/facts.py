"""What rules ask about a traced program: users, producers, output kinds, places.

Rules never walk traces themselves; they ask here, so that an answer is computed once per program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from dllint.analysis.moved_axis import Moved, moved_axis
from dllint.analysis.training import Training
from dllint.domains.precision import PRECISIONS, USUAL
from dllint.domains.shape import Shape
from dllint.ir.program import JOIN, Event, Op, Program, TensorVal

if TYPE_CHECKING:
    from dllint.analysis.devices import Apart, Fetched
    from dllint.analysis.drawn_weights import Draw
    from dllint.analysis.ranges.evaluator import Ranges
    from dllint.analysis.ranges.witness import Witnesses
    from dllint.analysis.typestate.modes import Modes
    from dllint.analysis.typestate.tapes import Tape

E = TypeVar("E", bound=Event)


class Facts:
    """Derived facts of one :class:`Program`, computed on demand and kept."""

    def __init__(self, program: Program, precision: str = USUAL.name) -> None:
        self.program = program
        self._precision = PRECISIONS[precision]

    @cached_property
    def ops(self) -> list[Op]:
        """The operations of the program, in order."""
        return self.program.ops

    @cached_property
    def _users(self) -> dict[int, list[Op]]:
        users: dict[int, list[Op]] = {}
        idle = self._idle_joins
        for op in self.ops:
            if id(op) not in idle:
                for value in op.inputs:
                    users.setdefault(value.id, []).append(op)
        return users

    @cached_property
    def _idle_joins(self) -> set[int]:
        """The joins whose result no operation takes: of a name that nobody reads where the paths have met."""
        taken: set[int] = set()
        idle: set[int] = set()
        for op in reversed(self.ops):
            if op.kind == JOIN and not any(output.id in taken for output in op.outputs):
                idle.add(id(op))
            else:
                taken.update(value.id for value in op.inputs)
        return idle

    @cached_property
    def _events(self) -> dict[str, list[Event]]:
        events: dict[str, list[Event]] = {}
        for event in self.program.events:
            events.setdefault(event.kind, []).append(event)
        return events

    @cached_property
    def _places(self) -> dict[tuple[int, ...], list[Op]]:
        places: dict[tuple[int, ...], list[Op]] = {}
        for op in self.ops:
            places.setdefault(_place(op), []).append(op)
        return places

    def passes(self, op: Op) -> list[Op]:
        """The operations that a loop makes of one, one per pass that was followed; itself included."""
        return [other for other in self._places.get(_place(op), (op,)) if other.kind == op.kind]

    @cached_property
    def results(self) -> dict[int, TensorVal]:
        """The results of the program's operations, by identity (see ``Op.tested``)."""
        return {id(output): output for op in self.ops for output in op.outputs}

    @cached_property
    def _performed(self) -> dict[int, list[Op]]:
        performed: dict[int, list[Op]] = {}
        for op in self.ops:
            performed.setdefault(id(op.site.node), []).append(op)
        return performed

    def performances(self, op: Op) -> list[Op]:
        """The operations of one kind that one expression of the source performs: one in every call, and in every iteration."""
        return [other for other in self._performed[id(op.site.node)] if other.kind == op.kind]

    @cached_property
    def training(self) -> Training:
        """The training procedure of the program."""
        return Training(self.program)

    @cached_property
    def ranges(self) -> Ranges:
        """The ranges of its tensors' elements."""
        from dllint.analysis.ranges.evaluator import Ranges

        return Ranges(self.program, self._precision)

    @cached_property
    def modes(self) -> Modes:
        """In which mode its models are trained and evaluated."""
        from dllint.analysis.typestate.modes import Modes

        return Modes(self)

    @cached_property
    def misplaced(self) -> tuple[Apart | Fetched, ...]:
        """The operations whose operands are not on one device, and the arrays of what is on an accelerator."""
        from dllint.analysis.devices import misplaced

        return tuple(misplaced(self))

    @property
    def are_cut(self) -> bool:
        """Whether more would have had to be looked at for those who have asked so far than there is work for."""
        asked = self.__dict__
        return ("ranges" in asked and self.ranges.is_cut) or ("witnesses" in asked and self.witnesses.gave_up)

    @cached_property
    def witnesses(self) -> Witnesses:
        """Ordinary numbers that meet dangers."""
        from dllint.analysis.ranges.witness import Witnesses

        return Witnesses(self)

    @cached_property
    def without_gradient(self) -> frozenset[int]:
        """The operations (by ``id``) inside contexts in which no gradients are recorded."""
        from dllint.analysis.ranges.uses import NO_GRADIENT, inside

        return inside(self.program, NO_GRADIENT)

    @cached_property
    def _traced(self) -> frozenset[int]:
        return frozenset(id(op) for op in self.ops)

    def is_recorded(self, op: Op) -> bool:
        """Whether an operation is performed where gradients are recorded. Of a pass over a loop that was given up, values may
        be left whose operations are not in the trace: they are performed where those of the same place in it are."""
        made = (op,) if id(op) in self._traced else self._places.get(_place(op), ())
        return bool(made) and not any(id(other) in self.without_gradient for other in made)

    @cached_property
    def own_gradient(self) -> frozenset[int]:
        """The operations (by ``id``) of autograd functions, beside which their ``backward`` is written: autograd differentiates
        none of them."""
        from dllint.analysis.functions import written_by_hand

        return written_by_hand(self.program)

    @cached_property
    def changes(self) -> list[tuple[int, Op]]:
        """See :func:`dllint.analysis.typestate.overwritten.changes`."""
        from dllint.analysis.typestate.overwritten import changes

        return changes(self)

    @cached_property
    def tapes(self) -> list[Tape]:
        """See :func:`dllint.analysis.typestate.tapes.tapes`."""
        from dllint.analysis.typestate.tapes import tapes

        return tapes(self)

    @cached_property
    def last_draws(self) -> list[Draw]:
        """See :func:`dllint.analysis.drawn_weights.last_draws`."""
        from dllint.analysis.drawn_weights import last_draws

        return last_draws(self)

    @cached_property
    def reads_data(self) -> bool:
        """See :func:`dllint.analysis.recorded.reads_data`."""
        from dllint.analysis.recorded import reads_data

        return reads_data(self)

    @cached_property
    def under_tape(self) -> frozenset[int]:
        """The operations (by ``id``) that a gradient tape records."""
        from dllint.analysis.ranges.uses import TAPE, inside

        return inside(self.program, TAPE)

    @cached_property
    def _moved(self) -> dict[tuple[Shape, Shape], Moved | None]:
        return {}

    def moved_axis(self, source: Shape, target: Shape) -> Moved | None:
        """See :func:`dllint.analysis.moved_axis.moved_axis`; asked once for each pair of shapes."""
        key = source, target
        if key not in self._moved:
            self._moved[key] = moved_axis(source, target)
        return self._moved[key]

    def users(self, value: TensorVal) -> list[Op]:
        """The operations that take a value, in order."""
        return self._users.get(value.id, [])

    def takers(self, op: Op) -> list[Op]:
        """The operations that take any result of an operation; none if its result is not known."""
        return [user for output in op.outputs for user in self.users(output)]

    def events(self, kind: type[E]) -> list[E]:
        """The events of one kind, in order."""
        return [event for event in self._events.get(kind.kind, ()) if isinstance(event, kind)]

    def origin(self, value: TensorVal, through: frozenset[str]) -> TensorVal:
        """The value reached by walking producers back through operations of the given kinds (their first input)."""
        while value.producer is not None and value.producer.kind in through and value.producer.inputs:
            value = value.producer.inputs[0]
        return value

    def ancestors(self, *values: TensorVal) -> Iterator[Op]:
        """All operations that values depend on, nearest first."""
        seen: set[int] = set()
        todo = deque(values)
        while todo:
            producer = todo.popleft().producer
            if producer is not None and id(producer) not in seen:
                seen.add(id(producer))
                yield producer
                todo.extend(producer.inputs)


def _place(op: Op) -> tuple[int, ...]:
    """Where an operation stands, and through which calls it is reached."""
    return tuple(id(site.node) for site in op.site.stack())
