"""In-place assignments to tensors that are held elsewhere: which of them an operation that reads the tensor sees.

The operation ``setitem`` gives a new tensor, to which the names of the frame are bound. Other holders of the old tensor
(attributes, lists, views) keep it, marked ``modified``. This module gives the assignments that are visible to an operation, in
order, through views and in loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from dllint.ir.program import Op, Program, TensorVal
from dllint.ops.aliases import is_in_place, replaced, sharing

#: Values with the same elements, or in one row of changes, that are told apart: nothing is known where there are more.
_MOST: Final = 1_000


class RangeWrites:
    """The assignments to elements in one program, by the tensors that they change."""

    def __init__(self, program: Program) -> None:
        self._inputs = frozenset(value.id for value in program.inputs)
        self._places: dict[int, int] = {}
        self._of: dict[int, list[Op]] = {}
        #: Writes to tensors that share memory in a way that their producers do not show.
        self._aliased: dict[int, list[Op]] = {}
        #: Writes to tensors that may be the same ones, as paths or passes of a loop have met.
        self._possible: dict[int, list[Op]] = {}
        self._joins = _joins(program)
        for place, op in enumerate(program.ops):
            self._places[id(op)] = place
            if is_in_place(op) and isinstance(target := op.args.get("x"), TensorVal):
                self._note(op, target)

    def _note(self, op: Op, target: TensorVal) -> None:
        """A write changes its target and what that is a view of; of others that share the memory only that it does is known."""
        if _is_crowded(target):
            return
        known = set()
        for changed in islice(sharing(target, changed=True), _MOST):
            known.add(changed.id)
            self._of.setdefault(changed.id, []).append(op)
        for other in target.memory or ():
            if other.id not in known and other.id < op.output.id:
                self._aliased.setdefault(other.id, []).append(op)
        if self._joins or target.earlier:
            for other in self._possibly_changed(target):
                if other.id not in known and other.memory is not target.memory and other.id < op.output.id:
                    self._possible.setdefault(other.id, []).append(op)

    def _possibly_changed(self, target: TensorVal) -> Iterator[TensorVal]:
        """Those that share the memory of a tensor that ``target`` may be, and of what may be one of them."""
        down = list(_closed([target], replaced))
        return _closed(down, lambda value: self._joins.get(value.id, ()))

    def has_aliased(self, op: Op, value: TensorVal) -> bool:
        """Whether an operation may see elements of a tensor that were changed through another one."""
        return next(self._earlier(op, self._aliased.get(value.id, ())), None) is not None

    def possible(self, op: Op, value: TensorVal) -> Iterator[Op]:
        """The assignments that an operation may come to see in a tensor that may be the one that was assigned to."""
        return self._earlier(op, self._possible.get(value.id, ()))

    def are_all(self, value: TensorVal) -> bool:
        """Whether all assignments to a tensor, and to what it is a view of, are those of the program, because it is made
        there or given to it."""
        if _is_crowded(value):
            return False
        row = list(islice(sharing(value, changed=True), _MOST))
        return len(row) < _MOST and all(self._is_own(tensor) for tensor in row if tensor.modified)

    def _is_own(self, value: TensorVal) -> bool:
        if value.foreign:
            return False
        if value.producer is None:
            return value.id in self._inputs
        return id(value.producer) in self._places

    def to(self, value: TensorVal) -> list[Op]:
        """All assignments to a tensor."""
        return self._of.get(value.id, [])

    def before(self, op: Op, value: TensorVal) -> Iterator[Op]:
        """The assignments to a tensor that an operation may come to see, in order: those before it and, in a loop, those
        behind it in the passes before."""
        return self._earlier(op, self._of.get(value.id, ()))

    def _earlier(self, op: Op, writes: Iterable[Op]) -> Iterator[Op]:
        place = self._places.get(id(op), 0)
        for write in writes:
            if write is not op and (self._places[id(write)] < place or (write.repeated and op.repeated)):
                yield write

    def intervene(self, value: TensorVal, first: Op, last: Op) -> bool:
        """Whether a tensor is assigned to between two operations, or may be in another pass of a loop."""
        places = [self._places[id(write)] for write in self._of.get(value.id, ())]
        return last.repeated or any(self._places.get(id(first), -1) < place < self._places[id(last)] for place in places)


def _is_crowded(value: TensorVal) -> bool:
    return value.memory is not None and len(value.memory) >= _MOST


def _joins(program: Program) -> dict[int, list[TensorVal]]:
    """By ``id`` of a tensor: the values that may be that tensor, as paths or passes of a loop have met there."""
    out: dict[int, list[TensorVal]] = {}
    for value in (output for op in program.ops for output in op.outputs):
        for other in replaced(value):
            out.setdefault(other.id, []).append(value)
    return out


def _closed(values: Iterable[TensorVal], following: Callable[[TensorVal], Iterable[TensorVal]]) -> Iterator[TensorVal]:
    """Some tensors and those that follow on them, each with all that share its memory, as far as they are looked at."""
    todo, seen = list(values), set[int]()
    while todo and len(seen) < _MOST:
        value = todo.pop()
        if value.id in seen:
            continue
        for sharer in islice(value.memory or (value,), _MOST):
            if sharer.id not in seen:
                seen.add(sharer.id)
                yield sharer
                todo.extend(following(sharer))
