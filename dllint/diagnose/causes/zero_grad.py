"""Gradients of earlier steps are never cleared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class ZeroGrad(Hypothesis):
    """The optimizer's ``zero_grad`` was not called in any step."""

    kind = "zero-grad"
    supports: ClassVar = {
        "exploding": 1.0,
        "numerical error": 0.8,
        "loss not decreasing": 0.9,
        "accuracy not increasing": 0.8,
        "oscillation": 0.9,
        "update-to-weight ratio": 0.8,
        "cannot fit one batch": 0.8,
        "dead node": 0.7,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Clear them before the backward pass."""
        for track, spot in case.optimizers():
            name = spot.code.assigned_to(spot.call)
            if track.zeroed or track.steps < 2 or name is None or spot.code.name(spot.call.func).startswith("keras."):
                continue
            for loss in case.run.losses:
                found = case.backward(loss) if loss.track == track.key else None
                if found is not None:
                    code, statement = found
                    yield (
                        "Clear the gradients before the backward pass",
                        (code.insert_before(statement, f"{name}.zero_grad()"),),
                        1.0,
                    )
