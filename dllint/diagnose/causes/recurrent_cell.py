"""A plain recurrent network cannot learn long dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class RecurrentCell(Hypothesis):
    """The model has plain recurrent layers, whose gradients fade or grow with the length of the sequence."""

    kind = "recurrent-cell"
    supports: ClassVar = {
        "loss not decreasing": 0.9,
        "accuracy not increasing": 0.9,
        "vanishing gradient": 0.9,
        "cannot fit one batch": 0.8,
        "exploding": 0.7,
        "numerical error": 0.5,
        "saturated activation": 0.5,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A gated one, which is called and answers in the same way."""
        edits: dict[Edit, None] = {}
        for _, spot in case.layer_spots("RNN"):
            if keyword(spot.call, "nonlinearity") is None:
                edits[spot.code.replace(spot.call.func, f"{spot.code.source(spot.call.func).removesuffix('RNN')}GRU")] = None
        if edits:
            yield "Use a GRU, which keeps what it has read", tuple(edits), 1.0
