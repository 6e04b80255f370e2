"""Gradients are cleared in each pass of a loop, but the optimizer steps in some passes only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class ClearedTooOften(Hypothesis):
    """The step stands under a condition, and what clears the gradients beside it."""

    kind = "accumulation"
    supports: ClassVar = {"discarded gradients": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Clear the gradients after the step, under its condition."""
        spot = case.spot(case.symptom.place)
        if spot is None or not isinstance(spot.call.func, ast.Attribute):
            return
        code, owner = spot.code, spot.code.source(spot.call.func.value)
        cleared, function = code.statement(spot.call), code.function(spot.call)
        for call in code.calls(function):
            if not isinstance(call.func, ast.Attribute) or call.func.attr != "step" or code.source(call.func.value) != owner:
                continue
            step = code.statement(call)
            if isinstance(code.parent(step), ast.If) and code.parent(step) is not code.parent(cleared):
                moved = (code.remove(cleared), code.insert_after(step, code.source(cleared)))
                yield "Clear the gradients after the step only", moved, 1.0
