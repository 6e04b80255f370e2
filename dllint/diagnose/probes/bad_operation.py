"""The operation that produced values which are not finite, in the form that all frameworks share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import NumericFault, TensorStats


@dataclass(frozen=True, slots=True)
class BadOperation:
    """An operation with a result that is not finite. ``module`` is the object whose method ran it; ``inputs`` are the
    statistics of its operands."""

    operation: str
    phase: str
    value: str
    place: SourcePlace | None
    module: Any
    inputs: tuple[TensorStats, ...]

    @property
    def inputs_finite(self) -> bool:
        """Whether the operation itself is the origin."""
        return all(stats.finite_share == 1.0 for stats in self.inputs)

    def as_fault(
        self, where: str, step: int, track: str, subject: str, place: SourcePlace | None, layer: str | None
    ) -> NumericFault:
        """The fault that is reported: ``where`` and in which ``subject`` the numbers were met."""
        made = (self.value, self.operation, self.phase, self.inputs_finite)
        return NumericFault(where, step, track, subject, place, *made, layer, self.inputs)
