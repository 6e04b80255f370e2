"""Putting numbers into symbolic shapes."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import Dim, DimExpr
from dllint.domains.shape import Shape
from dllint.domains.substitution import substitute


def instantiate(shape: Shape, values: Mapping[DimExpr, int]) -> tuple[Dim, ...]:
    """The shape with the symbols replaced by numbers."""
    given: dict[object, Dim] = {dim.symbol: value for dim, value in values.items()}
    return tuple(substitute(dim, given) for dim in shape)  # type: ignore[arg-type]
