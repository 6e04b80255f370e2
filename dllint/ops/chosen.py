"""Elements that are chosen from a tensor: by their place or by what they are, and what is still known of their numbers.

That the largest element of a tensor is 9 says that some element is. It holds for a part of the tensor only if any element may
be 9, as those of random or loaded labels may, and if the part is not chosen by the elements themselves (``y[y < 5]``).
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import DType
from dllint.ir.program import TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on

#: Operations whose elements are drawn or loaded, each like the others.
_DRAWN: Final = having(Trait.MAKES_PLACES | Trait.DRAWS_EVENLY) | having_any(Trait.CLASS_NUMBERS | Trait.LOADS)
#: Where loaded rows are in the order of their classes.
_IN_ORDER: Final = "sklearn.datasets.load_"
#: Operations that lay out the same elements anew, or leave some out by their place.
_MOVING: Final = having_any(Trait.KEEPS_VALUES | Trait.REPEATS | Trait.CUTS | Trait.REMAINDER) - having(Trait.RANKS)
#: Operations that make positions without looking at any element.
_POSITIONS: Final = having(Trait.MAKES_PLACES)


def is_exchangeable(x: TensorVal) -> bool:
    """Whether any element may be any number of the range, not only some element."""
    value: Value = x
    while isinstance(value, TensorVal) and not value.modified:
        maker = value.producer
        if maker is None or maker.kind in _DRAWN:
            return maker is None or not maker.spelled.startswith(_IN_ORDER)
        if maker.kind not in _MOVING and not (does(maker, Trait.SUBSCRIPTS) and is_by_place(maker.args.get("index"))):
            return False
        value = handed_on(maker)
    return False


def is_by_place(index: Value) -> bool:
    """Whether an index says where elements are, and not what they are."""
    if isinstance(index, tuple):
        return all(is_by_place(item) for item in index)
    if isinstance(index, TensorVal):
        return _holds_positions(index)
    return index is None or index is ... or isinstance(index, (int, DimExpr, SliceVal))


def _holds_positions(index: TensorVal) -> bool:
    value: Value = index
    while isinstance(value, TensorVal):
        maker = value.producer
        if maker is None:
            return isinstance(value.dtype, DType) and value.dtype.kind == "int"
        if maker.kind in _POSITIONS:
            return True
        if maker.kind not in _MOVING and not (does(maker, Trait.SUBSCRIPTS) and is_by_place(maker.args.get("index"))):
            return False
        value = handed_on(maker)
    return False


def chosen_data(data: Value, index: Value) -> Value:
    """The numbers that a written index takes of nested tuples; ``None`` if it is not written in whole numbers and slices."""
    items = index if isinstance(index, tuple) else (index,)
    return _taken(data, items)


def _taken(data: Value, items: tuple[Value, ...]) -> Value:
    if not items:
        return data
    if not isinstance(data, tuple):
        return None
    item, rest = items[0], items[1:]
    if type(item) is int:
        return _taken(data[item], rest) if -len(data) <= item < len(data) else None
    ends = (item.start, item.stop, item.step) if isinstance(item, SliceVal) else (0,)
    if not isinstance(item, SliceVal) or not all(end is None or type(end) is int for end in ends) or item.step == 0:
        return None
    parts = tuple(_taken(part, rest) for part in data[slice(*ends)])
    return None if None in parts else parts
