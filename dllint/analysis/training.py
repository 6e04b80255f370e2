"""The training procedure of a traced program: what is stepped, cleared and differentiated, in which loop.

Calls of helper functions are inlined in the trace, so that a step spread over functions and files is one sequence here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import libcst as cst

from dllint.analysis.clearings import with_clearings
from dllint.analysis.own_statements import is_in_comprehension, repeating
from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir import events
from dllint.ir.program import Event, Program, Site
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value
from dllint.source.walk import walk

_OPTIMIZER = "torch.optim.Optimizer"
_TRAINS = (events.Backward, events.Step, events.Fit)
E = TypeVar("E", bound=Event)
_SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"


@dataclass(frozen=True, slots=True)
class Passes:
    """What is performed repeatedly: the trace between ``start`` and ``end`` (exclusive) is one or more passes."""

    start: int
    end: int

    def contains(self, number: int) -> bool:
        """Whether what stands at a place of the trace is performed in it."""
        return self.start <= number < self.end


@dataclass(frozen=True, slots=True)
class Loop(Passes):
    """The passes of a loop."""

    #: Where it begins: its node, its place, and the conditions under which it is reached.
    edge: events.LoopEdge
    #: Whether not all that it does was followed, so that nothing shows what it never does.
    is_cut: bool = False


class Training:
    """The events of training in one program, and the loops around them."""

    def __init__(self, program: Program) -> None:
        self._trace = with_clearings(program.trace)
        #: Whether the program was followed to its end, so that it never does what is not there.
        self.is_whole = not program.ran_out
        self.loops = list(_loops(program))

    @cached_property
    def events(self) -> list[Event]:
        """All events of the program, in order."""
        return [item for item in self._trace if isinstance(item, Event)]

    @cached_property
    def trains(self) -> bool:
        """Whether the program differentiates, steps or fits anything."""
        return any(isinstance(item, _TRAINS) for item in self._trace)

    def within(self, loop: Passes, *kinds: type[E]) -> list[E]:
        """The events of some kinds in a loop, in order."""
        return [item for item in self._trace[loop.start : loop.end] if isinstance(item, kinds)]

    def innermost(self, event: Event) -> Loop | None:
        """The innermost loop in which an event happens, ``None`` if it happens in none."""
        return min(self.around(event), key=lambda loop: loop.end - loop.start, default=None)

    def around(self, event: Event) -> list[Loop]:
        """The loops in which an event happens."""
        number = self._numbers.get(id(event), -1)
        return [loop for loop in self.loops if loop.contains(number)]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(item): number for number, item in enumerate(self._trace)}

    def before(self, loop: Passes) -> list[Event]:
        """The events in front of a loop, in order."""
        return [item for item in self._trace[: loop.start] if isinstance(item, Event)]

    def after(self, loop: Passes) -> list[Event]:
        """The events behind a loop, in order."""
        return [item for item in self._trace[loop.end + 1 :] if isinstance(item, Event)]

    def step_loops(self) -> Iterator[Loop]:
        """The innermost loops in which something is differentiated and stepped, of those that were followed to their end. What
        a comprehension differentiates in a loop is not the loop's: it has passes of its own."""
        for loop in self._stepping:
            if not self._is_in_comprehension(self.within(loop, events.Backward)[0], loop):
                yield loop

    def step_passes(self) -> Iterator[Passes]:
        """What is performed repeatedly and differentiates and steps: the loops that do, of the others the part in which a
        comprehension does, and the comprehensions that do and stand in no loop."""
        for loop in self._stepping:
            if not self._is_in_comprehension(self.within(loop, events.Backward)[0], loop):
                yield loop
            elif all(self._is_in_comprehension(step, loop) for step in self.within(loop, events.Step)):
                yield self._passes_of_comprehension(loop)
        yield from self._passes_outside_loops()

    @cached_property
    def _stepping(self) -> list[Loop]:
        """The innermost loops that hold a backward pass and a step, in order."""
        chosen: list[Loop] = []
        for loop in sorted((loop for loop in self.loops if not loop.is_cut), key=lambda loop: loop.end - loop.start):
            kinds = {event.kind for event in self.within(loop, events.Backward, events.Step)}
            if len(kinds) == 2 and not any(loop.start <= inner.start and inner.end <= loop.end for inner in chosen):
                chosen.append(loop)
        return sorted(chosen, key=lambda loop: loop.start)

    @staticmethod
    def _is_in_comprehension(event: Event, loop: Loop) -> bool:
        return is_in_comprehension(event.site, loop.edge.node)

    def _passes_of_comprehension(self, loop: Loop) -> Passes:
        """The part of a loop that its comprehensions perform."""
        inside = [
            number
            for number, item in enumerate(self._trace[loop.start : loop.end], loop.start)
            if isinstance(item, Event) and self._is_in_comprehension(item, loop)
        ]
        return Passes(inside[0], inside[-1] + 1)

    def _passes_outside_loops(self) -> Iterator[Passes]:
        """The parts of the program that a comprehension outside of all loops performs, and that differentiate and step outside
        of the loops in them."""
        if not self.is_whole:
            return
        end = 0
        for number, event in enumerate(self._trace):
            if number < end or not isinstance(event, events.Backward) or self.around(event):
                continue
            frame, comprehension = repeating(event.site)
            if comprehension is None:
                continue
            found = self.performed_by(comprehension, frame)
            end = found.end
            if any(not self.around(step) for step in self.within(found, events.Step)):
                yield found

    def performed_by(self, comprehension: cst.BaseComp, frame: Site) -> Passes:
        """The part of the trace that a comprehension performs in one call of the function around it."""
        parts = {id(part) for part in walk(comprehension)}
        inside = [
            number
            for number, item in enumerate(self._trace)
            if any(id(place.node) in parts and place.caller is frame.caller for place in item.site.stack())
        ]
        return Passes(inside[0], inside[-1] + 1)


def _loops(program: Program) -> Iterator[Loop]:
    entered: list[tuple[events.LoopEdge, int]] = []
    for index, item in enumerate(program.trace):
        if not isinstance(item, events.LoopEdge):
            continue
        if item.phase == "enter":
            entered.append((item, index + 1))
        elif entered and entered[-1][0].node is item.node:
            edge, start = entered.pop()
            yield Loop(start, index, edge, item.is_cut)


def library_classes(value: Value) -> set[str]:
    """The library classes that an object is an instance of, by qualified name."""
    if not isinstance(value, InstanceVal):
        return set()
    classes = value.cls.mro if isinstance(value.cls, ClassVal) else (value.cls,)
    names = {cls.name for cls in classes if isinstance(cls, LibSymbol)}
    return names | {base for name in names for base in LIBRARY_BASES.get(name, ())}


def is_optimizer(value: Value) -> bool:
    """Whether an object is a torch optimizer for sure."""
    return _OPTIMIZER in library_classes(value)


def may_be_optimizer(value: Value) -> bool:
    """Whether an object can be a torch optimizer: it is one, or nothing is known about it."""
    return isinstance(value, Unknown) or is_optimizer(value)


def is_scheduler(value: Value) -> bool:
    """Whether an object is a learning-rate scheduler for sure."""
    return _SCHEDULER in library_classes(value)


def certainly_different(a: Value, b: Value) -> bool:
    """Whether two objects are known and not the same."""
    return isinstance(a, InstanceVal) and isinstance(b, InstanceVal) and a is not b
