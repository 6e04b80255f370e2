"""The margin of an early stop is larger than what its measure gains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class StoppingMargin(Hypothesis):
    """The argument ``min_delta``, where its value is given."""

    kind = "stopping-margin"
    supports: ClassVar = {"stopped while improving": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """None: every gain counts."""
        spot = case.spot(case.symptom.place)
        given = keyword(spot.call, "min_delta") if spot is not None else None
        if spot is None or given is None:
            return
        origin = case.origin(spot.code, given)
        code, node = (origin.code, origin.node) if origin is not None else (spot.code, given)
        yield "Count every gain", (code.replace(node, "0.0"),), 1.0
