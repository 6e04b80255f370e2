"""Ranges of the last elements along an axis of unknown size (``x[..., -1:]``), which cuts counted from the start cannot
separate."""

from __future__ import annotations

from typing import Final

from dllint.domains.interval import Interval, exactly
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.products import contracted
from dllint.ops.ranges.spec import RangeCall
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on

#: So many operations are looked through.
_DEEPEST: Final = 8
#: Operations whose result has the elements of ``x`` at their places.
_KEEPING: Final = having_any(Trait.KEEPS_PLACES | Trait.DROPS)
_PRODUCTS: Final = having(Trait.MATRIX_PRODUCT)


def last_elements(call: RangeCall) -> Interval | None:
    """The range of the last elements that a slice takes; ``None`` if it takes others, or nothing is known of them alone."""
    x, found = call.arg("x"), _end_slice(call.arg("index"))
    if found is None or not isinstance(x, TensorVal) or not isinstance(x.shape, tuple):
        return None
    place, count = found
    axis = place if place < 0 else place - len(x.shape)
    if not -len(x.shape) <= axis < 0 or isinstance(x.shape[axis], int):
        return None
    return _last(x, axis, count, call, _DEEPEST)


def _end_slice(index: Value) -> tuple[int, int] | None:
    """The axis of the only slice that takes anything away, and how many last elements it takes. Axes behind an ellipsis are
    counted from the end."""
    items = index if isinstance(index, tuple) else (index,)
    cut = [place for place, item in enumerate(items) if item is not ... and not _is_everything(item)]
    if len(cut) != 1 or not isinstance(item := items[cut[0]], SliceVal):
        return None
    start, stop, step = item.start, item.stop, item.step
    if type(start) is not int or start >= 0 or stop is not None or step not in (None, 1):
        return None
    return (cut[0] - len(items) if ... in items[: cut[0]] else cut[0]), -start


def _is_everything(item: Value) -> bool:
    return isinstance(item, SliceVal) and item.start is None and item.stop is None and item.step in (None, 1)


def _last(value: Value, axis: int, count: int, call: RangeCall, depth: int) -> Interval | None:
    """The range of the last ``count`` elements along an axis, which is counted from the end."""
    maker = value.producer if isinstance(value, TensorVal) and not value.stale else None
    if maker is None or depth == 0:
        return None
    if maker.kind in _KEEPING and not maker.spelled.endswith("_"):
        return _last(handed_on(maker), axis, count, call, depth - 1)
    if does(maker, Trait.PADS):
        return _added(maker, axis, count, call)
    return _of_product(maker, axis, count, call, depth) if maker.kind in _PRODUCTS else None


def _added(op: Op, axis: int, count: int, call: RangeCall) -> Interval | None:
    """The number of elements that torch's padding appends along an axis."""
    given, value = op.args.get("pad"), op.args.get("value")
    place = 2 * (-axis - 1) + 1
    if op.framework != "torch" or op.args.get("mode") not in (None, "constant") or not isinstance(given, tuple):
        return None
    added = given[place] if place < len(given) else None
    if not isinstance(added, int) or added < count:
        return None
    return exactly(0) if value is None else call.ranges(value)


def _of_product(op: Op, axis: int, count: int, call: RangeCall, depth: int) -> Interval | None:
    """Last columns of a product are those of its second factor, last rows those of its first."""
    x, y = op.args.get("x"), op.args.get("y")
    if (
        axis not in (-1, -2)
        or op.args.get("transpose_a")
        or op.args.get("transpose_b")
        or not (_is_matrix(x) and _is_matrix(y))
    ):
        return None
    part = _last(y if axis == -1 else x, axis, count, call, depth - 1)
    if part is None:
        return None
    whole = call.ranges(x if axis == -1 else y)
    return contracted(part, whole, None, RangeCall(op, 0, call.ranges, call.relations))


def _is_matrix(value: Value) -> bool:
    return isinstance(value, TensorVal) and isinstance(value.shape, tuple) and len(value.shape) >= 2
