"""The running statistics of batch normalisation do not keep up with the weights."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_LAYERS: Final = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm")
_POSITION: Final = 2
_USUAL: Final = 0.1
#: For statistics that lag with the usual momentum, say because the weights move fast.
_FAST: Final = 0.3


class NormMomentum(Hypothesis):
    """Re-estimated statistics close the gap between the modes: the momentum is too low for the number of steps."""

    kind = "norm-momentum"
    supports: ClassVar = {"train/eval gap": 0.95}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The usual momentum, or one above it."""
        if case.symptom.evidence.get("cause") != "running statistics lag":
            return
        spots = [(spot, _momentum(spot)) for _, spot in case.layer_spots(*_LAYERS)]
        low = any(given is not None and (case.number(spot.code, given) or 0.0) < _USUAL for spot, given in spots)
        wanted = _USUAL if low else _FAST
        edits = dict.fromkeys(_with_momentum(case, spot, given, wanted) for spot, given in spots)
        if edits:
            yield f"Let batch normalisation follow faster (momentum {wanted:g})", tuple(edits), 1.0 if low else 0.8


def _momentum(spot: Spot) -> ast.expr | None:
    plain = spot.call.args[_POSITION : _POSITION + 1]
    return keyword(spot.call, "momentum") or (plain[0] if plain else None)


def _with_momentum(case: Case, spot: Spot, given: ast.expr | None, wanted: float) -> Edit:
    if given is not None:
        literal = case.origin(spot.code, given)
        if literal is not None and number(literal.node) is not None:
            return literal.code.replace(literal.node, f"{wanted:g}")
        return spot.code.replace(given, f"{wanted:g}")
    end = spot.code.span(spot.call)[1] - 1
    return Edit(spot.code.path, end, end, f", momentum={wanted:g}")
