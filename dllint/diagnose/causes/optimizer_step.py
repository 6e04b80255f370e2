"""Gradients are computed, and no optimizer steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class OptimizerStep(Hypothesis):
    """An optimizer was built and has never stepped."""

    kind = "optimizer-step"
    supports: ClassVar = {"unchanged weight": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Step after the backward pass."""
        if case.symptom.evidence.get("cause") != "no step":
            return
        for track, spot in case.optimizers():
            name = spot.code.assigned_to(spot.call)
            for loss in case.run.losses if name is not None else ():
                found = case.backward(loss)
                if found is not None and not track.steps:
                    code, statement = found
                    yield (
                        f"Call `{name}.step()` after the backward pass",
                        (code.insert_after(statement, f"{name}.step()"),),
                        1.0,
                    )
