"""A weighted sampler was given the weights of classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class SamplerWeights(Hypothesis):
    """The weights were computed from labels by a function of one argument: those are the numbers of the classes."""

    kind = "sampler-weights"
    supports: ClassVar = {"samples never drawn": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The weight of the class of each sample."""
        spot = case.spot(case.symptom.place)
        given = (keyword(spot.call, "weights") or next(iter(spot.call.args), None)) if spot is not None else None
        if spot is None or given is None:
            return
        code, function = spot.code, spot.code.function(spot.call)
        values = [value for value in code.assignments(code.source(given)) if code.function(value) is function]
        made = values[0].value if len(values) == 1 else given
        if isinstance(made, ast.Call) and len(made.args) == 1 and not made.keywords:
            labels = code.source(made.args[0])
            yield f"Give each sample the weight of its class: `[{labels}]`", (code.insert_at_end(given, f"[{labels}]"),), 1.0
