"""Sizes that an operation asks to be the same: those of two operands, or that of a layer and the one of its input.

The rules that ask are about sizes that depend on free ones, whose operation is no proved fault for that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, last_size, normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having
from dllint.ops.layers import LAYERS as ALL_LAYERS
from dllint.ops.layers import layer
from dllint.ops.ranges.spec import shape_of
from dllint.ops.sizes import is_dim
from dllint.ops.traits import Trait

#: Operations of several operands whose sizes meet, by how.
POINTWISE: Final = having(Trait.POINTWISE)
JOINS: Final = having(Trait.CONCATENATES)
PRODUCTS: Final = having(Trait.MATRIX_PRODUCT)


class Meeting(NamedTuple):
    """Two sizes that have to agree; the axis, counted from the end, on which they meet."""

    left: Dim
    right: Dim
    axis: int


def operands(op: Op) -> list[tuple[TensorVal, Shape]]:
    """The tensors that meet, as far as their ranks are known."""
    parts = op.args.get("tensors") if op.kind in JOINS else (op.args.get("x"), op.args.get("y"))
    tensors = [part for part in parts if isinstance(part, TensorVal)] if isinstance(parts, tuple) else []
    return [(tensor, shape) for tensor in tensors if (shape := shape_of(tensor)) is not None and not isinstance(shape, Unknown)]


def of_operands(op: Op, shapes: list[Shape]) -> Iterator[Meeting]:
    """The sizes of operands that meet."""
    first, second = shapes[:2]
    if op.kind in JOINS:
        axis = op.args.get("dim", 0)
        joined = normalize_axis(axis, len(first)) if isinstance(axis, int) else None
        for other in shapes[1:] if joined is not None else ():
            yield from _aligned(first, other, joined)
    elif op.kind in PRODUCTS:
        if first and second:
            yield Meeting(first[-1], second[-2 if len(second) > 1 else -1], -1)
        if does(op, Trait.COUNTS_AXES) and len(first) == len(second) == 3:
            yield Meeting(first[0], second[0], -3)
    else:
        yield from _aligned(first, second, None)


def _aligned(a: Shape, b: Shape, joined: int | None) -> Iterator[Meeting]:
    """The sizes of two shapes, from the last axis; those of the joined one are free."""
    if joined is not None and len(a) != len(b):
        return
    for back in range(1, min(len(a), len(b)) + 1):
        if joined is None or len(a) - back != joined:
            yield Meeting(a[-back], b[-back], -back)


def of_layer(op: Op) -> Meeting | None:
    """The size of its input that a layer is built for, and that which it gets."""
    asks, x = layer(op.kind), op.args.get("x")
    if not isinstance(x, TensorVal):
        return None
    if asks.last_axis:
        declared = op.args.get(asks.last_axis)
        last = declared[-1] if isinstance(declared, tuple) and declared else declared
        given = last_size(x.shape)
        return Meeting(last, given, -1) if is_dim(last) and given is not None else None
    demand = asks.demand(op.framework, op.args) if asks.demand is not None else None
    if demand is None or demand.axis is None or isinstance(x.shape, Unknown) or len(x.shape) != demand.ranks[0]:
        return None
    declared = op.args.get(demand.parameter)
    return Meeting(declared, x.shape[demand.axis], demand.axis - len(x.shape)) if is_dim(declared) else None


#: Layers that say what the size of an axis of their input is.
LAYERS: Final = frozenset(kind for kind, asks in ALL_LAYERS.items() if asks.last_axis or asks.demand is not None)
#: All operations with sizes that have to agree.
MEETING: Final = POINTWISE | JOINS | PRODUCTS | LAYERS


def meetings(op: Op) -> Iterator[Meeting]:
    """The sizes that an operation asks to be the same."""
    if op.kind in LAYERS:
        found = of_layer(op)
        yield from () if found is None else (found,)
    elif len(tensors := operands(op)) > 1:
        yield from of_operands(op, [shape for _, shape in tensors])
