"""The writes to one memory, in order, and what they do to the bounds of the tensors that share it."""

from __future__ import annotations

from itertools import islice
from typing import Final

from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower import literals
from dllint.lower.journal import Journal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_MOST_BOUNDED: Final = 64


class Changes:
    """The writes to the memory that some tensors share. ``last`` is the ``id`` of the result of the latest write."""

    def __init__(self, memory: list[TensorVal]) -> None:
        self._memory = memory
        #: How many of them have been marked as modified by a write, and those of them whose elements still have bounds.
        self._informed = 0
        self._bounded: list[TensorVal] = []
        self.last = 0

    def note(self, journal: Journal, result: TensorVal, number: Value) -> None:
        """A write has made ``result`` of one of the tensors, and a ``number`` of some elements, if it is one."""
        journal.note_lasting(self, "last", "_bounded", "_informed")
        self.last = result.id
        new = islice(self._memory, self._informed, None)
        concerned = [other for other in (*self._bounded, *new) if other is not result]
        for other in concerned[:-_MOST_BOUNDED]:
            literals.forget(journal, other, None)
        self._bounded = concerned[-_MOST_BOUNDED:]
        for other in self._bounded:
            literals.forget(journal, other, number)
        self._bounded = [other for other in self._bounded if other.low is not None and other.high is not None]
        self._informed = len(self._memory) - (self._memory[-1] is result)


def is_trained(x: TensorVal) -> bool:
    """Whether a tensor is a parameter; assigning to its elements does not make another tensor."""
    if x.producer is None:
        return x.name in ("parameter", "weight")
    return does(x.producer, Trait.VARIABLE) or x.producer.args.get("requires_grad") is True
