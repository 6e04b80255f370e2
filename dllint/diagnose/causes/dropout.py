"""The dropout rate is too high."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_LAYERS: Final = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "SpatialDropout1D", "SpatialDropout2D")
_HIGH: Final = 0.5
_USUAL: Final = "0.2"


class DropoutRate(Hypothesis):
    """A rate above one half."""

    kind = "dropout"
    supports: ClassVar = {
        "loss not decreasing": 0.8,
        "accuracy not increasing": 0.85,
        "train/eval gap": 0.8,
        "cannot fit one batch": 0.85,
        "oscillation": 0.4,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A usual rate."""
        edits: dict[Edit, None] = {}
        for _, spot in case.layer_spots(*_LAYERS):
            rate = spot.call.args[0] if spot.call.args else keyword(spot.call, "p", "rate")
            given = case.origin(spot.code, rate)
            if given is not None and (number(given.node) or 0) > _HIGH:
                edits[given.code.replace(given.node, _USUAL)] = None
        if edits:
            yield f"Lower the dropout rate to {_USUAL}", tuple(edits), 1.0
