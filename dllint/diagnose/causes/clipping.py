"""Single updates are far larger than the others: gradients should be clipped."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class Clipping(Hypothesis):
    """Gradients are not clipped, and the updates are large."""

    kind = "gradient-clipping"
    supports: ClassVar = {"exploding": 0.7, "numerical error": 0.45, "oscillation": 0.4}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Clip to norm 1 before the step."""
        for track, spot in case.optimizers():
            name = spot.code.assigned_to(spot.call)
            model = next((root.code.assigned_to(root.call) for _, root in case.roots()), None)
            if track.clipped or name is None or model is None:
                continue
            for call in spot.code.calls():
                if isinstance(call.func, ast.Attribute) and spot.code.source(call.func) == f"{name}.step":
                    clip = f"{spot.code.alias('torch')}.nn.utils.clip_grad_norm_({model}.parameters(), 1.0)"
                    edit = spot.code.insert_before(spot.code.statement(call), clip)
                    yield "Clip the gradients", (edit,), 1.0
