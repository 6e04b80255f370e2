"""A tensor compared with itself, each element with each: ``labels[None] == labels[:, None]``."""

from __future__ import annotations

from typing import Final

from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.ops.kinds import does, having
from dllint.ops.ranges.conditions import EQUAL
from dllint.ops.ranges.order import same
from dllint.ops.ranges.spec import laid_out, maker_of, shape_of
from dllint.ops.traits import Trait

_CONVERSIONS: Final = having(Trait.CONVERTS)
_TURNS: Final = having(Trait.PERMUTES)


def meets_itself(value: Value) -> bool:
    """Whether each row and each column of a matrix has a truth value that is true (or 1), as that of an element with itself."""
    maker = maker_of(laid_out(value, _CONVERSIONS))
    if maker is None or maker.kind != EQUAL:
        return False
    x, y = _sides(maker)
    return (
        same(_without_new_axes(x), _without_new_axes(y))
        and _is_line(x, 0) != _is_line(y, 0)
        and _is_line(x, 1) != _is_line(y, 1)
    )


def _sides(equal: Op) -> tuple[Value, Value]:
    """What is compared; of a difference that is compared with 0, what is subtracted."""
    x, y = equal.args.get("x"), equal.args.get("y")
    maker = x.producer if isinstance(x, TensorVal) else None
    if isinstance(y, (int, float)) and y == 0 and does(maker, Trait.SUBTRACTS) and maker is not None:
        return maker.args.get("x"), maker.args.get("y")
    return x, y


def _without_new_axes(value: Value) -> Value:
    """What an index that takes all elements is applied to, or what a matrix of one row or column is turned from."""
    maker = maker_of(value)
    if maker is not None and maker.kind in _TURNS and (_is_line(value, 0) or _is_line(value, 1)):
        return _without_new_axes(maker.args.get("x"))
    if maker is None or maker.kind != "getitem":
        return value
    index = maker.args.get("index")
    return maker.args.get("x") if all(map(_takes_all, index if isinstance(index, tuple) else (index,))) else value


def _takes_all(item: Value) -> bool:
    return item is None or (isinstance(item, SliceVal) and item.start is None and item.stop is None and item.step is None)


def _is_line(value: Value, axis: int) -> bool:
    """Whether a matrix has one element along an axis."""
    shape = shape_of(value)
    return shape is not None and len(shape) == 2 and shape[axis] == 1
