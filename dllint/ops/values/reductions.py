"""Elements of sums, means, spreads, extremes and running sums, of matrix products and counts."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from dllint.domains.dtype import DType
from dllint.domains.enclosure import (
    Array,
    Enclosure,
    UndeterminedError,
    absolute,
    approximate,
    div,
    exactly,
    hull,
    mapped,
    maximum,
    moved,
    roundoff,
    square,
    sub,
    total,
    truth_of,
)
from dllint.ir.values import Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.ops.values.spec import Axes, ValueCall, values_of


def _axes(x: Enclosure, dim: Axes) -> tuple[int, ...]:
    """Axes as numbers from 0 on; all of them for ``None``."""
    rank = len(x.shape)
    given = range(rank) if dim is None else dim if isinstance(dim, tuple) else (dim,)
    return tuple(sorted(range(rank)[axis] for axis in given))


def _count(x: Enclosure, axes: tuple[int, ...]) -> int:
    count = math.prod(x.shape[axis] for axis in axes)
    if not count:
        raise UndeterminedError("nothing to reduce")
    return count


def _taken(call: ValueCall, x: Enclosure) -> Enclosure:
    """The elements as numbers of the type that is asked for, which they are made before they are reduced."""
    dtype = call.op.output.dtype
    if call.op.args.get("dtype") is None or (isinstance(dtype, DType) and dtype.kind == "float"):
        return x
    if not isinstance(dtype, DType) or dtype.kind != "int":
        raise UndeterminedError("element type")
    return mapped(x, np.trunc)


@values_of("sum reduce_sum")
def _sum(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    x = _taken(call, x)
    return total(x, _axes(x, dim), keepdim, call.fmt)


@values_of("mean reduce_mean")
def _mean(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    _check_sums(call)
    return _averaged(call, _taken(call, x), _axes(x, dim), keepdim)


def _check_sums(call: ValueCall) -> None:
    """Sums that a mean is computed from are of its type; those of whole numbers may wrap around."""
    dtype = call.op.output.dtype
    if not isinstance(dtype, DType) or dtype.kind != "float":
        raise UndeterminedError("the sum may wrap around")


def _averaged(call: ValueCall, x: Enclosure, axes: tuple[int, ...], keep: bool) -> Enclosure:
    count = exactly(float(_count(x, axes)))
    found = div(total(x, axes, keep, call.fmt), count, call.fmt)
    return found if _is_exact(found) else approximate(found, call.fmt)


def _is_exact(found: Enclosure) -> bool:
    """Whether libraries that multiply by the reciprocal of the count give the same."""
    return found.exact and bool((found.low == np.round(found.low)).all())


@values_of("var reduce_variance", "std reduce_std")
def _spread(
    call: ValueCall,
    x: Enclosure,
    dim: Axes = None,
    keepdim: bool = False,
    ddof: int | None = None,
) -> Enclosure:
    """torch's ``unbiased`` is not among the arguments that the program has: either may be meant."""
    _check_sums(call)
    axes = _axes(x, dim)
    distance = sub(x, _averaged(call, x, axes, True), call.fmt)
    squares = approximate(total(square(distance, call.fmt), axes, keepdim, call.fmt), call.fmt)
    readings = (0, 1) if call.op.framework == "torch" else (0 if ddof is None else ddof,)
    found = hull(_divided(squares, _count(x, axes) - less, call) for less in readings)
    return found if call.op.kind == "var" else approximate(mapped(found, np.sqrt), call.fmt)


def _divided(squares: Enclosure, count: int, call: ValueCall) -> Enclosure:
    if count < 1:
        raise UndeterminedError("no number")
    return maximum(approximate(div(squares, exactly(float(count)), call.fmt), call.fmt), exactly(0.0))


_ROOTS: Final = (None, 2, "fro", "euclidean")


@values_of("norm vector_norm")
def _length(
    call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False, p: Value = None, ord: Value = None
) -> Enclosure:
    """Of matrices, which have norms of their own, only that of all elements."""
    axes, p = _axes(x, dim), ord if p is None else p
    if len(axes) > 1 and p is not None:
        raise UndeterminedError("which norm is meant")
    if p in _ROOTS:
        return approximate(mapped(total(square(x, call.fmt), axes, keepdim, call.fmt), np.sqrt), call.fmt)
    if p == 1:
        return total(absolute(x), axes, keepdim, call.fmt)
    if p == math.inf:
        return absolute(x).arranged(lambda v: v.max(axis=axes, keepdims=keepdim))
    raise UndeterminedError("order")


@values_of("amax max reduce_max")
def _largest(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    return mapped(x, lambda v: v.max(axis=_axes(x, dim), keepdims=keepdim))


@values_of("amin min reduce_min")
def _smallest(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    return mapped(x, lambda v: v.min(axis=_axes(x, dim), keepdims=keepdim))


@values_of("max_dim max", "min_dim min")
def _extremes(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> tuple[Enclosure, ...] | Enclosure:
    """The extreme elements, and their positions if those are asked for and known."""
    axes, largest = _axes(x, dim), does(call.op, Trait.LARGEST)
    found = mapped(x, lambda v: (np.max if largest else np.min)(v, axis=axes, keepdims=keepdim))
    if len(call.op.outputs) == 1 or not x.exact:
        return found
    place = (np.argmax if largest else np.argmin)(x.low, axis=axes[0], keepdims=keepdim)
    return found, exactly(place)


@values_of("argmax", "argmin")
def _position(call: ValueCall, x: Enclosure, dim: int | None = None, keepdim: bool = False) -> Enclosure:
    numbers = x.numbers if dim is not None else x.numbers.reshape(-1)
    return exactly((np.argmax if call.op.kind == "argmax" else np.argmin)(numbers, axis=dim or 0, keepdims=keepdim))


@values_of("all reduce_all")
def _all(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    return mapped(truth_of(x), lambda v: v.min(axis=_axes(x, dim), keepdims=keepdim, initial=1))


@values_of("any reduce_any")
def _any(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    return mapped(truth_of(x), lambda v: v.max(axis=_axes(x, dim), keepdims=keepdim, initial=0))


@values_of("count_nonzero")
def _counted(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    return mapped(truth_of(x), lambda v: v.sum(axis=_axes(x, dim), keepdims=keepdim))


@values_of("prod reduce_prod")
def _product(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    x, axes = _taken(call, x), _axes(x, dim)
    if (x.low < 0).any():
        raise UndeterminedError("signs")
    found = mapped(x, lambda v: v.prod(axis=axes, keepdims=keepdim))
    return _multiplied(found, np.asarray(_count(x, axes) - 1.0), call)


@values_of("cumprod")
def _running_product(call: ValueCall, x: Enclosure, dim: int | None = None) -> Enclosure:
    x, axis = _taken(call, x), _one_axis(x, dim)
    if (x.low < 0).any():
        raise UndeterminedError("signs")
    steps = _positions(x, axis)
    return _multiplied(mapped(x, lambda v: np.multiply.accumulate(v, axis=axis)), steps, call)


def _multiplied(found: Enclosure, steps: Array, call: ValueCall) -> Enclosure:
    """Products that were rounded so many times, by the library and here."""
    error = 0.0 if call.fmt is None else 2 * steps * (2.0**-call.fmt.precision + 2.0**-53)
    return moved(Enclosure(found.low * (1 - error), found.high * (1 + error)), 0.0, call.fmt)


def _one_axis(x: Enclosure, dim: int | None) -> int:
    if dim is None and len(x.shape) == 1:
        return 0
    if dim is None:
        raise UndeterminedError("dim")
    return range(len(x.shape))[dim]


def _positions(x: Enclosure, axis: int) -> Array:
    """The positions along an axis, beside the elements."""
    return np.arange(float(x.shape[axis])).reshape(tuple(-1 if place == axis else 1 for place in range(len(x.shape))))


@values_of("cumsum")
def _running_sum(call: ValueCall, x: Enclosure, dim: int | None = None) -> Enclosure:
    x, axis = _taken(call, x), _one_axis(x, dim)
    found = mapped(x, lambda v: np.add.accumulate(v, axis=axis))
    size = np.add.accumulate(np.maximum(np.abs(x.low), np.abs(x.high)), axis=axis)
    whole = x.exact and bool((x.low == np.round(x.low)).all()) and (call.fmt is None or size.max() < 2.0**call.fmt.precision)
    return moved(found, np.where((_positions(x, axis) == 0) | whole, 0.0, size * roundoff(x.shape[axis], call.fmt)), call.fmt)


@values_of("matmul mm dot", "mm matmul", "bmm matmul", "mv matmul", "dot matmul")
def _matrix_product(
    call: ValueCall, x: Enclosure, y: Enclosure, transpose_a: bool = False, transpose_b: bool = False
) -> Enclosure:
    first = x.arranged(lambda v: np.swapaxes(v, -1, -2)) if transpose_a else x
    second = y.arranged(lambda v: np.swapaxes(v, -1, -2)) if transpose_b else y
    if not all(np.isfinite(end).all() for e in (first, second) for end in (e.low, e.high)):
        raise UndeterminedError("infinite")
    middles = [(e.low + e.high) / 2 for e in (first, second)]
    reaches = [(e.high - e.low) / 2 for e in (first, second)]
    if not all(np.isfinite(part).all() for part in (*middles, *reaches)):
        raise UndeterminedError("too large")
    size = np.abs(middles[0]) @ np.abs(middles[1])
    reach = (np.abs(middles[0]) + reaches[0]) @ reaches[1] + reaches[0] @ np.abs(middles[1])
    whole = first.exact and second.exact and all((part == np.round(part)).all() for part in middles)
    exact = whole and (call.fmt is None or size.max(initial=0) < 2.0**call.fmt.precision)
    error = 0.0 if exact else (size + reach) * roundoff(x.shape[-1] + 2, call.fmt)
    return moved(exactly(middles[0] @ middles[1]), reach + error, call.fmt)


@values_of("logsumexp reduce_logsumexp")
def _log_of_sum(call: ValueCall, x: Enclosure, dim: Axes = None, keepdim: bool = False) -> Enclosure:
    axes = _axes(x, dim)
    if not (np.isfinite(x.low).all() and np.isfinite(x.high).all()):
        raise UndeterminedError("infinite")
    peak = x.high.max(axis=axes, keepdims=True)
    found = mapped(x, lambda v: np.log(np.exp(v - peak).sum(axis=axes, keepdims=True)) + peak)
    made = found.arranged(lambda v: v if keepdim else v.squeeze(axis=axes))
    return moved(made, (np.abs(made.high) + _count(x, axes)) * roundoff(4, call.fmt) * 4, call.fmt)


@values_of("sort")
def _sorted(call: ValueCall, x: Enclosure, dim: int = -1, descending: bool = False) -> tuple[Enclosure, ...] | Enclosure:
    return mapped(x, lambda v: -np.sort(-v, axis=dim) if descending else np.sort(v, axis=dim))


@values_of("unique")
def _distinct(
    call: ValueCall, x: Enclosure, return_counts: bool = False, return_inverse: bool = False
) -> tuple[Enclosure, ...] | Enclosure:
    """The different elements in rising order, as torch gives them, and how many there are of each."""
    if call.op.framework != "torch" or return_inverse:
        raise UndeterminedError("order")
    found, counts = np.unique(x.numbers, return_counts=True)
    return (exactly(found), exactly(counts)) if return_counts else exactly(found)


@values_of("topk top_k")
def _top(call: ValueCall, x: Enclosure, k: int = 1, dim: int = -1, largest: bool = True) -> Enclosure:
    if not largest:
        raise UndeterminedError("smallest")
    return mapped(x, lambda v: np.take(-np.sort(-v, axis=dim), range(k), axis=dim))
