"""Weight decay is so strong that it undoes what is learned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_STRONG: Final = 0.05
_USUAL: Final = "1e-4"


class WeightDecay(Hypothesis):
    """A literal rate far above the usual ones."""

    kind = "weight-decay"
    supports: ClassVar = {
        "loss not decreasing": 0.85,
        "accuracy not increasing": 0.85,
        "dead node": 0.6,
        "vanishing gradient": 0.6,
        "overfitting": 0.8,
        "cannot fit one batch": 0.8,
        "update-to-weight ratio": 0.95,
        "input-independent output": 0.8,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A usual rate."""
        for _, spot in case.optimizers():
            rate = keyword(spot.call, "weight_decay")
            if rate is not None and (number(rate) or 0) > _STRONG:
                yield f"Lower the weight decay to {_USUAL}", (spot.code.replace(rate, _USUAL),), 1.0
