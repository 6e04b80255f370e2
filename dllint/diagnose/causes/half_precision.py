"""A constant is too small for the type of the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class HalfPrecision(Hypothesis):
    """Adam's usual ``eps`` of 1e-8 is 0 in half precision: the first steps divide by zero."""

    kind = "half-precision"
    supports: ClassVar = {"numerical error": 0.9, "exploding": 0.7}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A larger ``eps``."""
        if not any(parameter.dtype == "float16" for parameter in case.run.parameters):
            return
        for track, spot in case.optimizers():
            if not track.optimizer.kind.startswith("Adam"):
                continue
            given, end = keyword(spot.call, "eps"), spot.code.span(spot.call)[1] - 1
            edit = spot.code.replace(given, "1e-4") if given is not None else Edit(spot.code.path, end, end, ", eps=1e-4")
            yield "Raise Adam's eps to 1e-4", (edit,), 1.0
