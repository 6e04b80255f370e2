"""Order relations between two tensors: a tensor and its maximum, a part and its whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.interval import Bound, Interval, Origin, between
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import LAYOUT, laid_out, maker_of, shape_of
from dllint.ops.traits import Trait

_MAXIMA: Final = having(Trait.LARGEST)
_MINIMA: Final = having(Trait.SMALLEST)


def extreme_of(value: Value) -> Op | None:
    """The operation that gives a tensor's largest or smallest elements, if ``value`` is its result up to layout."""
    value = _behind_selection(laid_out(value))
    maker = maker_of(value)
    if not isinstance(value, TensorVal) or maker is None:
        return None
    return maker if maker.kind in _MAXIMA | _MINIMA and value.index == 0 else None


def _behind_selection(value: Value) -> Value:
    """``x.max(dim)[0]``: a member of a pair that is taken by ``getitem`` is no tensor operation; a slice of a result is."""
    while (maker := maker_of(value)) is not None and does(maker, Trait.SUBSCRIPTS):
        value = laid_out(maker.args.get("x"))
    return value


def same(a: Value, b: Value) -> bool:
    """Whether two tensors hold the same elements, up to layout."""
    source, other = laid_out(a), laid_out(b)
    if not isinstance(source, TensorVal) or not isinstance(other, TensorVal):
        return False
    if source is not other and not _is_computed_again(source, other):
        return False
    return not source.several and not source.stale


#: Two tensors that are the :func:`same` have one mark; those of one mark may be.
Mark = int | str


def mark(value: TensorVal) -> Mark:
    """The identity of a tensor up to layout; a reduction is identified by its kind, because it may be computed twice."""
    source = laid_out(value)
    return source.producer.kind if source.producer is not None and source.producer.kind in _REDUCTIONS else id(source)


#: Reductions, which give the same number whenever they are computed of the same tensor.
_REDUCTIONS: Final = having(Trait.REDUCES)


def _is_computed_again(a: TensorVal, b: TensorVal) -> bool:
    """Whether a tensor is the result of a reduction that is performed a second time (``np.sum(x)`` in a test and behind it)."""
    first, second = a.producer, b.producer
    if first is None or second is None or first.kind != second.kind or first.kind not in _REDUCTIONS:
        return False
    if a.index != b.index or b.stale or b.several or first.args.keys() != second.args.keys():
        return False
    return all(_is_unchanged(value, second.args[name]) for name, value in first.args.items())


def _is_unchanged(a: Value, b: Value) -> bool:
    if isinstance(a, TensorVal):
        return a is b and not a.stale and not a.several
    return type(a) is type(b) and isinstance(a, _PLAIN) and a == b


_PLAIN: Final = (int, float, str, tuple, DType, type(None))


#: Ways of laying elements out anew that repeat them.
_REPEATING: Final = having(Trait.REPEATS)
#: Those that leave every element at its place.
_KEEPING: Final = having(Trait.KEEPS_PLACES)


def same_aligned(a: Value, b: Value) -> bool:
    """Whether an operation on two tensors combines every element with itself. (``x[:, None] - x[None]`` does not.)"""
    if not same(a, b):
        return False
    if laid_out(a, _KEEPING) is laid_out(b, _KEEPING):
        return True
    ordered = laid_out(a, LAYOUT - _REPEATING) is laid_out(b, LAYOUT - _REPEATING)
    shape = shape_of(a)
    return ordered and shape is not None and shape == shape_of(b)


def of_one_function(a: Value, b: Value) -> bool:
    """Whether two tensors are results of the same place in a function that is called twice: how they compare (a schedule at two
    times) is unknown."""
    makers = [value.producer if isinstance(value, TensorVal) else None for value in (laid_out(a), laid_out(b))]
    first, second = makers
    if first is None or second is None or first is second or first.layer is not None or first.site.node is None:
        return False
    return first.site.node is second.site.node and first.site.caller is not second.site.caller


def _extremes_of(value: Value) -> Iterator[Op]:
    """The operation that gives a tensor's largest or smallest elements, and those of the same kind by which its operand is made
    (``x.amax(-1).amax()``)."""
    kinds: frozenset[str] | None = None
    while (maker := extreme_of(value)) is not None and maker.kind in (kinds or _MAXIMA | _MINIMA):
        kinds = _MAXIMA if maker.kind in _MAXIMA else _MINIMA
        yield maker
        value = maker.args.get("x")


def difference(x: Value, y: Value) -> Interval | None:
    """Bounds of ``x - y`` beyond the operands' ranges: no element exceeds the maximum or falls below the minimum."""
    if same_aligned(x, y):
        return between(0, 0)
    if _is_total_of(y, x):
        return _below_zero()
    above, below = extreme_of(y), extreme_of(x)
    if above is not None and any(same(maker.args.get("x"), x) for maker in _extremes_of(y)):
        return _below_zero() if above.kind in _MAXIMA else _above_zero()
    if below is not None and any(same(maker.args.get("x"), y) for maker in _extremes_of(x)):
        return _above_zero() if below.kind in _MAXIMA else _below_zero()
    if above is not None and below is not None and same(above.args.get("x"), below.args.get("x")):
        return _above_zero() if above.kind in _MINIMA else _below_zero()
    return None


def _is_total_of(total: Value, x: Value) -> bool:
    """Whether a tensor is the logsumexp of another one, which none of its elements exceeds."""
    maker = maker_of(laid_out(total))
    return does(maker, Trait.LOG_SUM_EXP | Trait.REDUCES) and same(maker.args.get("x"), x)


def _below_zero() -> Interval:
    return Interval(Bound(float("-inf"), Origin.UNKNOWN), Bound(0.0))


def _above_zero() -> Interval:
    return Interval(Bound(0.0), Bound(float("inf"), Origin.UNKNOWN))


def is_shifted(value: Value, dim: Value) -> bool:
    """Whether the maximum along every axis ``dim`` is 0, because the maximum over some of these axes is subtracted."""
    maker = maker_of(laid_out(value))
    if not does(maker, Trait.SUBTRACTS):
        return False
    peak = extreme_of(maker.args.get("y"))
    return peak is not None and peak.kind in _MAXIMA and same(peak.args.get("x"), maker.args.get("x")) and _covers(dim, peak)


def _covers(dim: Value, peak: Op) -> bool:
    """Whether axes include all those of an operation."""
    wanted, rank = peak.args.get("dim"), peak.args.get("x")
    if dim is None or dim == wanted:
        return True
    shape = rank.shape if isinstance(rank, TensorVal) else None
    if not isinstance(shape, tuple) or wanted is None:
        return False
    axes = {axis % len(shape) for axis in _axes(dim)}
    return {axis % len(shape) for axis in _axes(wanted)} <= axes


def same_axes(dim: Value, op: Op) -> bool:
    """Whether axes are those that an operation works along."""
    x, wanted = op.args.get("x"), op.args.get("dim")
    shape = x.shape if isinstance(x, TensorVal) else None
    if not isinstance(shape, tuple) or not shape or not _axes(dim) or not _axes(wanted):
        return False
    return {axis % len(shape) for axis in _axes(dim)} == {axis % len(shape) for axis in _axes(wanted)}


def _axes(dim: Value) -> tuple[int, ...]:
    return tuple(a for a in (dim if isinstance(dim, tuple) else (dim,)) if isinstance(a, int))


#: What makes a whole out of parts that it is at least as large as.
_WHOLES: Final = having(Trait.SUMS | Trait.REDUCES) | having_any(Trait.LENGTH | Trait.LARGEST)


_ADDING_LITTLE: Final = having_any(Trait.ADDS | Trait.LIMITS)


def part_of_whole(x: Value, y: Value) -> str | None:
    """The kind of the reduction over all elements of ``x`` that gives ``y``; a small constant may be added."""
    value = laid_out(y)
    while (step := maker_of(value)) is not None and step.kind in _ADDING_LITTLE:
        value = laid_out(step.args.get("x"))
    maker = maker_of(_behind_selection(value))
    if not isinstance(maker, Op) or maker.kind not in _WHOLES or not same(maker.args.get("x"), x):
        return None
    return maker.kind
