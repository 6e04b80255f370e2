"""What a condition on tensors tells about the elements for which it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from dllint.domains.interval import Interval, Origin
from dllint.domains.interval_arithmetic import absolute, cut, neg
from dllint.ir.program import Op, TensorVal
from dllint.ops.ranges.order import same
from dllint.ops.ranges.spec import LAYOUT, laid_out, maker_of

Ranges = Callable[[object], Interval]
#: A comparison → the one that holds if it does not, and the one with its operands swapped.
NEGATED: Final = {"gt": "le", "le": "gt", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}
SWAPPED: Final = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge", "eq": "eq", "ne": "ne"}
#: Reductions of a condition: what the whole tells about every element.
_FORALL: Final = {"all": True, "any": False}


def constrained(value: object, found: Interval, test: object, holds: bool, ranges: Ranges) -> Interval:
    """The range of ``value``, which is ``found``, where ``test`` is true (``holds``) or false."""
    maker = maker_of(test)
    if maker is None or same(test, value):
        return Interval(found.low, found.high, True) if holds and same(test, value) else found
    if maker.kind in ("logical_not", "bitwise_not"):
        return constrained(value, found, maker.args.get("x"), not holds, ranges)
    if maker.kind in _BOTH and _BOTH[maker.kind] is holds:
        for name in ("x", "y"):
            found = constrained(value, found, maker.args.get(name), holds, ranges)
        return found
    if maker.kind == "isclose" and not holds:
        return _differing(value, found, maker, ranges)
    if _FORALL.get(maker.kind) is holds or maker.kind in LAYOUT:
        return constrained(value, found, maker.args.get("x"), holds, ranges)
    return _compared(value, found, maker, holds, ranges) if maker.kind in NEGATED else found


_BOTH: Final = {"logical_and": True, "bitwise_and": True, "logical_or": False, "bitwise_or": False}


def _differing(value: object, found: Interval, test: Op, ranges: Ranges) -> Interval:
    """The range of a value that is not close to another one."""
    x, y = test.args.get("x"), test.args.get("y")
    for subject, other in ((x, y), (y, x)):
        if same(subject, value):
            return _limited(found, "ne", ranges(other))
    return found


def _compared(value: object, found: Interval, test: Op, holds: bool, ranges: Ranges) -> Interval:
    kind = test.kind if holds else NEGATED[test.kind]
    x, y = test.args.get("x"), test.args.get("y")
    if kind in ("ne", "gt", "lt") and _is_difference(value, x, y):
        return Interval(found.low, found.high, True)
    for subject, other, comparison in ((x, y, kind), (y, x, SWAPPED[kind])):
        if not isinstance(subject, TensorVal):
            continue
        if same(subject, value) or _is_extreme(subject, value, comparison):
            return _limited(found, comparison, ranges(other))
        if (magnitude := maker_of(laid_out(subject))) is not None and magnitude.kind == "abs":
            return _magnitude(value, found, magnitude, comparison, ranges(other))
    return doubted(found) if any(isinstance(v, TensorVal) and _comes_from(value, v) for v in (x, y)) else found


#: The least element is above what all are above, the largest below what all are below.
_EXTREMES: Final = {"amin": ("gt", "ge"), "min_dim": ("gt", "ge"), "amax": ("lt", "le"), "max_dim": ("lt", "le")}


def _is_extreme(subject: TensorVal, value: object, comparison: str) -> bool:
    """Whether a condition is about the extreme element of all, and holds for the others, too."""
    maker = maker_of(subject)
    if maker is None or comparison not in _EXTREMES.get(maker.kind, ()) or subject.index:
        return False
    return maker.args.get("dim") is None and same(maker.args.get("x"), value)


def doubted(found: Interval) -> Interval:
    """A range of which a condition on what it is computed from may have excluded the ends: nothing shows that they are
    reached."""
    return Interval(replace(found.low, origin=Origin.UNKNOWN), replace(found.high, origin=Origin.UNKNOWN), found.nonzero)


_ARITHMETIC: Final = frozenset({"add", "sub", "mul", "div", "floor_divide", "neg", "abs", "square", "pow", "cast"})


def _comes_from(value: object, source: TensorVal, depth: int = 3) -> bool:
    """Whether a tensor is computed from another one by arithmetic."""
    maker = maker_of(laid_out(value))
    if maker is None or maker.kind not in _ARITHMETIC or depth == 0:
        return False
    return any(same(part, source) or _comes_from(part, source, depth - 1) for part in maker.inputs)


def _is_difference(value: object, x: object, y: object) -> bool:
    """Whether a tensor is the difference of two operands, which is not 0 where they differ."""
    maker = maker_of(laid_out(value))
    if maker is None or maker.kind != "sub":
        return False
    a, b = maker.args.get("x"), maker.args.get("y")
    return (same(a, x) and same(b, y)) or (same(a, y) and same(b, x))


def _magnitude(value: object, found: Interval, magnitude: Op, comparison: str, limit: Interval) -> Interval:
    """``abs(value) > limit``: 0 is excluded; below a limit it is excluded on both sides."""
    if not same(magnitude.args.get("x"), value):
        return found
    if comparison in ("gt", "ge", "ne"):
        away = _limited(absolute(found), comparison, limit)
        return Interval(found.low, found.high, found.nonzero or not away.has_zero)
    inside = _limited(absolute(found), comparison, limit)
    return found.meet(neg(inside).join(inside))


def _limited(found: Interval, comparison: str, limit: Interval) -> Interval:
    if comparison == "gt":
        return cut(found, limit.low.value, None)
    if comparison == "lt":
        return cut(found, None, limit.high.value)
    if comparison == "ge":
        return found.meet(Interval(limit.low, found.high))
    if comparison == "le":
        return found.meet(Interval(found.low, limit.high))
    if comparison == "eq":
        return found.meet(limit)
    return _without(found, limit)


def _without(found: Interval, excluded: Interval) -> Interval:
    """A range without a number: an end that may be that number is not known to be reached."""
    low, high = (
        replace(end, origin=Origin.UNKNOWN) if excluded.low.value <= end.value <= excluded.high.value else end
        for end in (found.low, found.high)
    )
    return Interval(low, high, found.nonzero or excluded.constant == 0)


def kept(value: TensorVal, found: Interval, mask: TensorVal, ranges: Ranges) -> Interval:
    """The range of the elements of ``value``, which is ``found``, that a mask made of ``value`` as it is now leaves alone."""
    test = mask.producer
    if test is None or test.kind not in NEGATED:
        return found
    for subject, comparison in (("x", test.kind), ("y", SWAPPED[test.kind])):
        other = test.args.get("y" if subject == "x" else "x")
        if test.args.get(subject) is value and other is not value:
            return _limited(found, NEGATED[comparison], ranges(other))
    return found
