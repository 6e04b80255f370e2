"""Alignment: which part of an operand a part of the result is computed from (the same place, the same rows, or rows and
columns)."""

from __future__ import annotations

from math import prod
from typing import Final

from dllint.domains.partition import FULL, Box, Cuts
from dllint.domains.shape import Shape, normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import having, having_any
from dllint.ops.ranges.parts import is_pointwise
from dllint.ops.ranges.spec import shape_of
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait

#: Operations along axes ``dim`` that keep the shape.
_ALONG: Final = having_any(Trait.NORMALISES | Trait.CUMULATES)
#: Operations that reduce axes ``dim`` to one element.
_REDUCING: Final = having(Trait.REDUCES)
#: Products of matrices: rows of ``x`` times columns of ``y``.
_PRODUCTS: Final = having(Trait.MATRIX_PRODUCT)


def is_rowwise(op: Op) -> bool:
    """Whether an operation computes each row of its result from that row of ``x`` alone, and, in a product, that column of
    ``y``."""
    if op.kind in _PRODUCTS:
        return op.args.get("x") is not op.args.get("y")
    return (op.kind in _ALONG or op.kind in _REDUCING) and bool(_axes(op))


def _axes(op: Op) -> tuple[int, ...]:
    """The axes that an operation works along; none if they are not known."""
    shape, dim = shape_of(op.args.get("x")), op.args.get("dim")
    dims = dim if isinstance(dim, tuple) else (dim,)
    numbers = [axis for axis in dims if type(axis) is int]
    if shape is None or len(numbers) < len(dims):
        return ()
    places = [normalize_axis(axis, len(shape)) for axis in numbers]
    return () if None in places else tuple(place for place in places if place is not None)


def aligned_cuts(op: Op, shape: Shape, value: TensorVal, cuts: Cuts) -> Cuts:
    """The cuts of an operand as cuts of the result."""
    places = _places(op, shape, value) if cuts else None
    if places is None:
        return ()
    out: list[tuple[int, ...]] = [()] * len(shape)
    for place, axis in enumerate(places):
        if axis is not None:
            out[axis] = cuts[place]
    return tuple(out)


def aligned_box(op: Op, shape: Shape, value: Value, box: Box) -> Box | None:
    """The box of an operand, or of what its condition compares, that a box of the result is computed from; ``None`` if that
    is not known."""
    places = _places(op, shape, value)
    return None if places is None else tuple(FULL if axis is None else box[axis] for axis in places)


def _places(op: Op, shape: Shape, value: Value) -> list[int | None] | None:
    """For each axis of an operand, the aligned axis of the result."""
    given = shape_of(value)
    if given is None:
        return None
    if is_pointwise(op):
        is_aligned = any(value is operand for operand in op.inputs) or given == shape
        return _broadcast(given, shape) if is_aligned and len(given) <= len(shape) else None
    if op.kind in _PRODUCTS:
        return _factor(op, shape, value, given)
    return _rows(op, shape, given) if value is op.args.get("x") else None


def _factor(op: Op, shape: Shape, value: Value, given: Shape) -> list[int | None] | None:
    """The rows of the first factor and the columns of the second; the axis that is summed over has no place."""
    if not 2 <= len(given) <= len(shape) or op.args.get("transpose_a") or op.args.get("transpose_b"):
        return None
    places = _broadcast(given, shape)
    places[-1 if value is op.args.get("x") else -2] = None
    return places


def _broadcast(given: Shape, shape: Shape) -> list[int | None]:
    shift = len(shape) - len(given)
    return [place + shift if size == shape[place + shift] else None for place, size in enumerate(given)]


def _rows(op: Op, shape: Shape, given: Shape) -> list[int | None] | None:
    reduced = _axes(op)
    if len(shape) == len(given):
        return [None if place in reduced else place for place in range(len(given))]
    if op.kind in _ALONG or len(shape) != len(given) - len(reduced):
        return None
    following = iter(range(len(shape)))
    return [None if place in reduced else next(following) for place in range(len(given))]


def element_cuts(shape: Shape, most: int) -> Cuts:
    """Cuts that make a part of every element; none if there are more than ``most``."""
    sizes = whole_numbers(shape)
    if sizes is None or min(sizes, default=1) <= 0 or not 1 < prod(sizes) <= most:
        return ()
    return tuple(tuple(range(1, size)) for size in sizes)
