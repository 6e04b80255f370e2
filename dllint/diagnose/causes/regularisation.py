"""The model overfits its training data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class Regularisation(Hypothesis):
    """The optimizer decays no weights."""

    kind = "regularisation"
    supports: ClassVar = {"overfitting": 0.9}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Weight decay."""
        for track, spot in case.optimizers():
            decay = next((group.get("weight_decay") for group in track.optimizer.groups), None)
            if (
                decay == 0
                and keyword(spot.call, "weight_decay") is None
                and spot.code.name(spot.call.func).startswith("torch.")
            ):
                end = spot.code.span(spot.call)[1] - 1
                yield "Let the weights decay", (Edit(spot.code.path, end, end, ", weight_decay=1e-2"),), 0.8
