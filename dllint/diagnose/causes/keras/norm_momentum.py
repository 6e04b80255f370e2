"""The running statistics of batch normalisation lag behind the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.norm_momentum import NormMomentum
from dllint.edit import Edit

#: Keras keeps this share of the old statistics at each step unless set otherwise.
_DEFAULT: Final = 0.99
_QUICK: Final = 0.9


class KerasNormMomentum(NormMomentum):
    """With a momentum of 0.99 the statistics need some hundred steps; with a smaller one they follow sooner."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A momentum of 0.9 in every layer."""
        if not is_keras(case) or case.symptom.evidence.get("cause") != "running statistics lag":
            return
        spots = dict.fromkeys(spot for _, spot in case.layer_spots("BatchNormalization"))
        edits = dict.fromkeys(edit for spot in spots for edit in _quicker(case, spot))
        if edits:
            yield f"Have batch normalisation follow sooner (momentum {_QUICK})", tuple(edits), 1.0


def _quicker(case: Case, spot: Spot) -> Iterator[Edit]:
    """The edit of a momentum above the quick one, where it is given."""
    momentum = keyword(spot.call, "momentum")
    given = case.origin(spot.code, momentum) if momentum is not None else None
    known = number(given.node) if given is not None else None
    if given is not None and known is not None and known > _QUICK:
        yield given.code.replace(given.node, str(_QUICK))
    elif known is None:
        yield spot.code.with_keyword(spot.call, "momentum", str(_QUICK))
