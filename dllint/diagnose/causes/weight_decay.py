"""Weight decay is so strong that it undoes what is learned."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.causes.origins import Given
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
        "oscillation": 0.85,
        "cannot fit one batch": 0.8,
        "update-to-weight ratio": 0.95,
        "input-independent output": 0.8,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A usual rate."""
        for track, spot in case.optimizers():
            used = [group.get("weight_decay") for group in track.optimizer.groups]
            rate = keyword(spot.call, "weight_decay")
            given = case.origin(spot.code, rate) or _in_groups(case, used)
            if given is not None and (number(given.node) or 0) > _STRONG:
                yield f"Lower the weight decay to {_USUAL}", (given.code.replace(given.node, _USUAL),), 1.0


def _in_groups(case: Case, used: Sequence[object]) -> Given | None:
    """The literal behind an entry ``weight_decay`` of a group of parameters, if the optimizer has used that number."""
    entries = [
        case.origin(code, value)
        for code in case.files()
        for node in ast.walk(code.tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "weight_decay"
    ]
    return max(
        (given for given in entries if given is not None and number(given.node) in used),
        key=lambda given: number(given.node) or 0.0,
        default=None,
    )
