"""Which of the conditions on the way to an operation restrict an operand.

A program that asks often has hundreds of conditions on the way to each of its operations, of which few are about the tensor in
question; they are found by the marks of what they speak of.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

from dllint.ir.program import Op, Program, TensorVal
from dllint.ir.values import Value
from dllint.ops.ranges.conditions import Part, marks, parts, subjects
from dllint.ops.ranges.order import Mark

#: So many conditions are distinguished in one program, and so many are looked at for its operands.
_MOST_PARTS: Final = 50_000
_MOST_LOOKS: Final = 100_000
#: Conditions of other paths that are passed over cost less: so many are as one.
_PASSED_OVER: Final = 16


class _Decided(NamedTuple):
    """A condition that the test ``identity`` implies if it has been decided as ``held``."""

    number: int
    identity: int
    held: bool
    part: Part


class RangeTests:
    """The conditions of one program. ``gave_up`` says whether there are more than are looked at."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._looks = 0
        self._marks: dict[int, frozenset[Mark]] = {}
        self.gave_up = False

    def on(self, op: Op, value: Value) -> list[Part] | None:
        """What is known to hold where an operation takes ``value`` and may restrict it; ``None`` if there was too much
        to look at."""
        if not op.tested or not isinstance(value, TensorVal):
            return []
        about = self._about
        if value.id not in self._marks:
            self._marks[value.id] = marks(value)
        possible = [found for mark in self._marks[value.id] if (found := about.get(mark)) is not None]
        outcomes = {found.number: found.part for found in chain(*possible) if op.tested.get(found.identity) is found.held}
        self._looks += len(outcomes) + sum(map(len, possible)) // _PASSED_OVER
        self.gave_up |= self._looks > _MOST_LOOKS
        return None if self.gave_up else [outcomes[number] for number in sorted(outcomes)]

    @cached_property
    def _about(self) -> dict[Mark, list[_Decided]]:
        """The conditions by the marks of what they speak of, as far as there is room for them."""
        out: dict[Mark, list[_Decided]] = {}
        number = 0
        for test, held in self._decided():
            for part in parts(test, held):
                number += 1
                for mark in subjects(part):
                    out.setdefault(mark, []).append(_Decided(number, id(test), held, part))
            if number > _MOST_PARTS:
                self.gave_up = True
                break
        return out

    def _decided(self) -> list[tuple[TensorVal, bool]]:
        """The tests that lie on the way to any operation, with the ways in which they were decided."""
        distinct = {id(op.tested): op.tested for op in self._program.ops}
        decided = {pair for tested in distinct.values() for pair in tested.items()}
        made = (output for op in self._program.ops for output in op.outputs)
        return [(output, held) for output in made for held in (True, False) if (id(output), held) in decided]
