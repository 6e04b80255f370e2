"""Sizes bound to letters: what einsum equations and einops patterns share."""

from __future__ import annotations

from collections.abc import Iterable

from dllint.domains.dim import Dim, differs, opaque, product, same
from dllint.domains.shape import Shape
from dllint.ops import faults
from dllint.ops.spec import Call


class Sizes:
    """The sizes of named axes. A name met twice must have one size (``broadcast``: or 1)."""

    def __init__(self, call: Call, shapes: tuple[Shape, ...], broadcast: bool) -> None:
        self.call = call
        self.shapes = shapes
        self.broadcast = broadcast
        self.found: dict[str, Dim] = {}

    def bind(self, name: str, size: Dim, axis: int | None = None, operand: str = "x") -> None:
        """Record that axis ``name`` has ``size``; a provable contradiction is an ``operator-shape`` fault."""
        known = self.found.setdefault(name, size)
        if self.broadcast and isinstance(known, int) and known == 1:
            self.found[name] = size
        elif differs(known, size) and not (self.broadcast and not differs(size, 1)):
            self.call.fault(
                faults.OPERATOR_SHAPE,
                operand=operand,
                axis=axis,
                expected=known,
                actual=size,
                shapes=self.shapes,
                detail=f"axis `{name}` has size {known} and size {size}",
            )
        elif not isinstance(known, int) and not same(known, size) and isinstance(size, int) and size != 1:
            self.found[name] = size

    def size(self, name: str) -> Dim:
        """The size of an axis; opaque if it was never met."""
        return self.found.setdefault(name, opaque(name))

    def product(self, names: Iterable[str]) -> Dim:
        """The size of axes merged into one."""
        return product(self.size(name) for name in names)
