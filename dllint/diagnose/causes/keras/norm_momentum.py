"""The running statistics of batch normalisation lag behind the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
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
        slow = [spot for spot in spots if (number(keyword(spot.call, "momentum")) or _DEFAULT) > _QUICK]
        if slow:
            edits = tuple(spot.code.with_keyword(spot.call, "momentum", str(_QUICK)) for spot in slow)
            yield f"Have batch normalisation follow sooner (momentum {_QUICK})", edits, 1.0
