"""Padding and cropping."""

from __future__ import annotations

from dllint.domains.dim import Dim, add, bounds, mul, opaque, show
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, total_of
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import is_dim, is_shape, size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.window import place, unknown_output

Pairs = tuple[tuple[Dim, Dim], ...]


@op("pad", traits=Trait.PADS)
def pad(call: Call, x: TensorType, *, pad: Value = None, mode: Value = "constant", spatial: Value = None) -> Result:
    """Padding of both ends of axes.

    torch: ``pad`` lists (before, after) from the last axis backwards; a number pads all ``spatial`` axes (the layers).
    numpy, Keras and TensorFlow: a pair per axis, or one pair or number for all axes. What Keras pads then differs between its
    backends.
    """
    shape = known_shape(x)
    if shape is None:
        return unknown_output(x, "pad")
    if call.framework == "torch":
        return _torch_pad(call, x, shape, pad, mode, spatial)
    pairs = _numpy_pairs(pad, len(shape))
    if pairs is None or (call.framework == "keras" and not _is_written_out(pad, len(shape))):
        return x.with_shape(tuple(opaque("padded", 0) for _ in shape))
    if len(pairs) != len(shape):
        detail = f"{len(pairs)} pairs of padding are given for {len(shape)} axes"
        call.fault(faults.OPERATOR_SHAPE, operand="pad", expected=len(shape), actual=len(pairs), shapes=(shape,), detail=detail)
        return x.with_shape(tuple(opaque("padded", 0) for _ in shape))
    return x.with_shape(tuple(total_of(d, *p) for d, p in zip(shape, pairs, strict=True)))


def _is_written_out(given: Value, rank: int) -> bool:
    """Whether every axis has a pair of its own."""
    return rank <= 1 or (isinstance(given, tuple) and len(given) > 1 and isinstance(given[0], tuple))


def _numpy_pairs(given: Value, rank: int) -> Pairs | None:
    if is_dim(given):
        return ((given, given),) * rank
    if not isinstance(given, tuple) or not given:
        return None
    if is_shape(given):
        return ((given[0], given[-1]),) * rank if len(given) <= 2 else None
    if not all(isinstance(g, tuple) for g in given):
        return None
    pairs = tuple(_pair(g) for g in given)
    return pairs * rank if len(pairs) == 1 else pairs


def _pair(given: Value) -> tuple[Dim, Dim]:
    if isinstance(given, tuple) and len(given) in (1, 2):
        return size(given[0], "padding"), size(given[-1], "padding")
    one = size(given, "padding")
    return one, one


def _torch_pad(call: Call, x: TensorType, shape: Shape, given: Value, mode: Value, spatial: Value) -> TensorType:
    flat = (given,) * (2 * spatial) if is_dim(given) and isinstance(spatial, int) else given
    if not isinstance(flat, tuple):
        return x.with_shape(tuple(opaque("padded", 0) for _ in shape))
    if len(flat) % 2 or len(flat) > 2 * len(shape):
        detail = f"{len(flat)} numbers of padding are given for {len(shape)} axes"
        call.fault(
            faults.OPERATOR_SHAPE, operand="pad", expected=2 * len(shape), actual=len(flat), shapes=(shape,), detail=detail
        )
        return x
    count = len(flat) // 2
    if isinstance(mode, str) and mode != "constant" and not call.rank(x, count + 2, count + 1):
        return x
    out = list(shape)
    for step in range(count):
        axis = len(shape) - 1 - step
        out[axis] = _padded(call, shape, axis, (size(flat[2 * step], "padding"), size(flat[2 * step + 1], "padding")), mode)
    if mode in ("reflect", "replicate") and count and not any(out[-count:]):  # torch refuses to leave nothing on any axis
        _positive(call, shape, len(shape) - 1, 0, "padding", least=1)
    return x.with_shape(tuple(out))


def _padded(call: Call, x: Shape, axis: int, pair: tuple[Dim, Dim], mode: Value) -> Dim:
    kind = mode if isinstance(mode, str) else ""
    limit = {"reflect": add(x[axis], -1), "circular": x[axis]}.get(kind)
    for amount in pair:
        if limit is not None and (bounds(add(amount, mul(limit, -1)))[0] or 0) > 0:
            detail = f"{kind} padding of {show(amount)} needs more than the {show(x[axis])} elements of the axis"
            call.fault(
                faults.OPERATOR_SHAPE, operand="pad", axis=axis, expected=limit, actual=amount, shapes=(x,), detail=detail
            )
    total = total_of(x[axis], *pair)
    first = total_of(x[axis], *(amount for amount in pair if _negative(amount))) if kind == "constant" else total
    _positive(call, x, axis, first, "padding", least=0)
    return total


def _negative(amount: Dim) -> bool:
    """Whether an amount of padding is provably a crop; torch crops first and pads with a constant then."""
    high = bounds(amount)[1]
    return high is not None and high < 0


def _positive(call: Call, x: Shape, axis: int, out: Dim, operand: str, least: int) -> Dim:
    """The size, or a ``spatial-collapse`` fault and an opaque size if it is provably below ``least``."""
    high = bounds(out)[1]
    if high is None or high >= least:
        return out
    detail = f"{operand} leaves a size of {show(out)}"
    call.fault(faults.SPATIAL_COLLAPSE, operand=operand, axis=axis, expected=least, actual=out, shapes=(x,), detail=detail)
    return opaque("collapsed", 1)


@op("zero_pad", traits=Trait.PADS)
def zero_pad(
    call: Call,
    x: TensorType,
    *,
    padding: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Zeros around the spatial axes: a number, one per axis, or a pair per axis (keras.layers.ZeroPadding1D/2D/3D)."""
    placed = place(call, x, spatial, channels_last, data_format)
    if placed is None:
        return unknown_output(x, "rank")
    shape, axes = placed
    pairs = _spatial_pairs(padding, len(axes.spatial))
    grown = [total_of(shape[axis], *pair) for axis, pair in zip(axes.spatial, pairs, strict=True)]
    return x.with_shape(axes.build(shape, shape[axes.channel], grown))


@op("crop", traits=Trait.SELECTS)
def crop(
    call: Call,
    x: TensorType,
    *,
    cropping: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """The spatial axes without their borders; at least one element must stay (keras.layers.Cropping1D/2D/3D)."""
    placed = place(call, x, spatial, channels_last, data_format)
    if placed is None:
        return unknown_output(x, "rank")
    shape, axes = placed
    left = []
    for axis, (before, after) in zip(axes.spatial, _spatial_pairs(cropping, len(axes.spatial)), strict=True):
        out = total_of(shape[axis], mul(before, -1), mul(after, -1))
        left.append(_positive(call, shape, axis, out, "cropping", least=1))
    return x.with_shape(axes.build(shape, shape[axes.channel], left))


def _spatial_pairs(given: Value, count: int) -> Pairs:
    """A pair per spatial axis. On one axis a pair of numbers is (before, after); on more, one symmetric number each."""
    if isinstance(given, Unknown) or given is None:
        return tuple((opaque("padding"), opaque("padding")) for _ in range(count))
    if isinstance(given, tuple) and count == 1 and len(given) == 2:
        return (_pair(given),)
    if isinstance(given, tuple) and len(given) == count:
        return tuple(_pair(g) for g in given)
    return (_pair(given),) * count
