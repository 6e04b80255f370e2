"""What decides by a measure during a run: early stopping, kept weights, rates that are lowered on a plateau."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import DecisionRecord

_MOST: Final = 32
_MOST_VALUES: Final = 1000
MODES: Final = ("min", "max")


@dataclass
class _Decider:
    kind: str
    place: SourcePlace | None
    measure: str = ""
    mode: str = ""
    values: list[float] = field(default_factory=list)
    margin: float = 0.0
    waited: int = 0


class Decisions:
    """The objects that decide, with what they were given."""

    def __init__(self) -> None:
        self._known: IdentityMap[Any, _Decider] = IdentityMap()
        self._all: list[_Decider] = []

    def built(self, owner: object, place: SourcePlace | None) -> None:
        """An object that will decide has been built at a place."""
        if owner not in self._known and len(self._all) < _MOST:
            self._known[owner] = decider = _Decider(type(owner).__name__, place)
            self._all.append(decider)

    def given(self, owner: object, measure: str, mode: object, value: float) -> None:
        """It has decided by a value of a measure."""
        decider = self._known.get(owner)
        if decider is None or mode not in MODES or not math.isfinite(value) or len(decider.values) >= _MOST_VALUES:
            return
        decider.measure, decider.mode = measure, str(mode)
        decider.values.append(value)

    def stopped(self, owner: object, margin: object, waited: object) -> None:
        """It has ended the training, since no value was better by a margin for so many times."""
        decider = self._known.get(owner)
        if decider is not None and isinstance(margin, int | float) and isinstance(waited, int) and math.isfinite(margin):
            decider.margin, decider.waited = abs(margin), waited

    def records(self) -> tuple[DecisionRecord, ...]:
        """Those that have decided."""
        return tuple(
            DecisionRecord(one.kind, one.place, one.measure, one.mode, tuple(one.values), one.margin, one.waited)
            for one in self._all
            if one.values
        )
