"""A measure is taken the wrong way round by what decides by it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class Direction(Hypothesis):
    """The argument ``mode``, where its value is given."""

    kind = "direction"
    supports: ClassVar = {"measure taken the wrong way": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The other mode."""
        spot, wanted = case.spot(case.symptom.place), case.symptom.evidence.get("wanted")
        if spot is None or not isinstance(wanted, str):
            return
        message, given = f"Take the direction of the measure: {wanted!r}", keyword(spot.call, "mode")
        if given is None:
            if not any(item.arg is None for item in spot.call.keywords):
                yield message, (spot.code.with_keyword(spot.call, "mode", f'"{wanted}"'),), 1.0
            return
        origin = case.origin(spot.code, given)
        if origin is not None and isinstance(origin.node, ast.Constant) and isinstance(origin.node.value, str):
            yield message, (origin.code.replace(origin.node, f'"{wanted}"'),), 1.0
        else:
            yield message, (spot.code.replace(given, f'"{wanted}"'),), 0.9
