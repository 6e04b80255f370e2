"""Refinement of ranges by conditions on tensors, for the elements for which a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from dllint.domains.interval import Interval, Origin
from dllint.domains.interval_arithmetic import absolute, cut, neg
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import by_name, does, having_any
from dllint.ops.ranges.order import Mark, mark, same
from dllint.ops.ranges.spec import LAYOUT, format_of, in_format, is_float, laid_out, maker_of
from dllint.ops.traits import Trait

Ranges = Callable[[Value], Interval]
_X: Final = "x"
_Y: Final = "y"
#: A comparison → the one that holds if it does not, and the one with its operands swapped.
NEGATED: Final = {"gt": "le", "le": "gt", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}
SWAPPED: Final = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge", "eq": "eq", "ne": "ne"}
#: The comparison that holds for equal numbers.
EQUAL: Final = "eq"
#: What is true where a condition is not.
OPPOSITES: Final = frozenset({"logical_not", "bitwise_not"})
#: Reductions of a condition: the result that holds for every element.
_FORALL: Final = {"all": True, "any": False}
#: Combinations of two conditions: the result that holds for each of them.
_BOTH: Final = by_name({Trait.BOTH: True, Trait.EITHER: False})
#: Operations whose compared result restricts their operand.
_WITHIN: Final = having_any(Trait.MAGNITUDE | Trait.SMALLEST | Trait.LARGEST)
_ARITHMETIC: Final = having_any(
    Trait.ADDS
    | Trait.SUBTRACTS
    | Trait.MULTIPLIES
    | Trait.DIVIDES
    | Trait.DIVIDES_WHOLE
    | Trait.NEGATES
    | Trait.MAGNITUDE
    | Trait.SQUARES
    | Trait.RAISES
    | Trait.CONVERTS
)
#: So many steps of arithmetic lead from the compared tensor to one that the condition may restrict.
_STEPS: Final = 3


class Part(NamedTuple):
    """One comparison of a test, and whether it holds."""

    test: Value
    holds: bool


def constrained(value: Value, found: Interval, test: Value, holds: bool, ranges: Ranges) -> Interval:
    """The range of ``value``, which is ``found``, where ``test`` is true (``holds``) or false."""
    for part in parts(test, holds):
        found = refined(value, found, part, ranges)
    return found


def parts(test: Value, holds: bool) -> list[Part]:
    """The comparisons that a test implies, each once: its own parts, and the test itself."""
    out: dict[tuple[int, bool], Part] = {}
    todo = [Part(test, holds)]
    while todo:
        part = todo.pop()
        if (id(part.test), part.holds) in out:
            continue
        out[id(part.test), part.holds] = part
        if (maker := maker_of(part.test)) is None:
            continue
        if maker.kind in OPPOSITES:
            todo.append(Part(maker.args.get("x"), not part.holds))
        elif _BOTH.get(maker.kind) is part.holds:
            todo += (Part(maker.args.get("y"), part.holds), Part(maker.args.get("x"), part.holds))
        elif _FORALL.get(maker.kind) is part.holds or maker.kind in LAYOUT:
            todo.append(Part(maker.args.get("x"), part.holds))
    return list(out.values())


def refined(value: Value, found: Interval, part: Part, ranges: Ranges) -> Interval:
    """The range of ``value``, which is ``found``, where one condition holds."""
    if same(part.test, value):
        return Interval(found.low, found.high, True) if part.holds else found
    maker = maker_of(part.test)
    if maker is not None and maker.kind == "isclose" and not part.holds:
        return _differing(value, found, maker, ranges)
    return _compared(value, found, maker, part.holds, ranges) if maker is not None and maker.kind in NEGATED else found


def subjects(part: Part) -> frozenset[Mark]:
    """The marks of all tensors that a condition may bound, and of those computed from them by arithmetic."""
    named = [part.test]
    maker = maker_of(part.test)
    if maker is not None and (maker.kind in NEGATED or maker.kind == "isclose"):
        for operand in (maker.args.get("x"), maker.args.get("y")):
            behind = maker_of(operand), maker_of(laid_out(operand))
            named += [operand, *(inner.args.get("x") for inner in behind if inner is not None and inner.kind in _WITHIN)]
    return frozenset(mark(value) for value in named if isinstance(value, TensorVal))


def marks(value: Value) -> frozenset[Mark]:
    """The marks of a tensor and of those that it is computed from by arithmetic; a condition on none of them does not bound the
    tensor."""
    return frozenset(mark(tensor) for tensor in (value, *_sources(value)) if isinstance(tensor, TensorVal))


def _sources(value: Value, depth: int = _STEPS) -> Iterator[TensorVal]:
    """The tensors that another one is computed from by a few steps of arithmetic."""
    maker = maker_of(laid_out(value))
    if maker is not None and maker.kind in _ARITHMETIC and depth > 0:
        for part in maker.inputs:
            yield part
            yield from _sources(part, depth - 1)


def _differing(value: Value, found: Interval, test: Op, ranges: Ranges) -> Interval:
    """The range of a value that is not close to another one."""
    x, y = test.args.get("x"), test.args.get("y")
    for subject, other in ((x, y), (y, x)):
        if same(subject, value):
            return _limited(found, "ne", ranges(other))
    return found


def _compared(value: Value, found: Interval, test: Op, holds: bool, ranges: Ranges) -> Interval:
    kind = test.kind if holds else NEGATED[test.kind]
    x, y = test.args.get("x"), test.args.get("y")
    if kind in ("ne", "gt", "lt") and _is_difference(value, x, y):
        return Interval(found.low, found.high, True)
    for subject, other, comparison in ((x, y, kind), (y, x, SWAPPED[kind])):
        if not isinstance(subject, TensorVal):
            continue
        if same(subject, value) or _is_extreme(subject, value, comparison):
            return _limited(found, comparison, _limit(test, subject, other, ranges))
        if (magnitude := maker_of(laid_out(subject))) is not None and does(magnitude, Trait.MAGNITUDE):
            return _magnitude(value, found, magnitude, comparison, _limit(test, subject, other, ranges))
    return doubted(found) if any(isinstance(v, TensorVal) and _comes_from(value, v) for v in (x, y)) else found


def _limit(test: Op, subject: TensorVal, other: Value, ranges: Ranges) -> Interval:
    """What a comparison compares a tensor with: a number is as it is written, or rounded to the tensor's type."""
    found = ranges(other)
    if isinstance(other, TensorVal) or not is_float(subject.dtype):
        return found
    return found.join(in_format(found, other, format_of(subject.dtype, test.framework), test.framework))


#: The least element is above what all are above, the largest below what all are below.
_EXTREMES: Final = by_name({Trait.SMALLEST: ("gt", "ge"), Trait.LARGEST: ("lt", "le")})


def _is_extreme(subject: TensorVal, value: Value, comparison: str) -> bool:
    """Whether a condition compares the extreme element, and so holds for all others as well."""
    maker = maker_of(subject)
    if maker is None or comparison not in _EXTREMES.get(maker.kind, ()) or subject.index:
        return False
    return maker.args.get("dim") is None and same(maker.args.get("x"), value)


def doubted(found: Interval) -> Interval:
    """A range whose ends are no longer known to be reached, because a condition on a tensor it is computed from may exclude
    them."""
    return Interval(replace(found.low, origin=Origin.UNKNOWN), replace(found.high, origin=Origin.UNKNOWN), found.nonzero)


def _comes_from(value: Value, source: TensorVal) -> bool:
    """Whether a tensor is computed from another one by arithmetic."""
    return any(same(part, source) for part in _sources(value))


def _is_difference(value: Value, x: Value, y: Value) -> bool:
    """Whether a tensor is the difference of two operands, which is not 0 where they differ."""
    maker = maker_of(laid_out(value))
    if not does(maker, Trait.SUBTRACTS):
        return False
    a, b = maker.args.get("x"), maker.args.get("y")
    return (same(a, x) and same(b, y)) or (same(a, y) and same(b, x))


def _magnitude(value: Value, found: Interval, magnitude: Op, comparison: str, limit: Interval) -> Interval:
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
    if comparison == EQUAL:
        return found.meet(limit)
    return _without(found, limit)


def _without(found: Interval, excluded: Interval) -> Interval:
    """A range without a number: an end that may be that number is not known to be reached."""
    low, high = (
        replace(end, origin=Origin.UNKNOWN) if excluded.low.value <= end.value <= excluded.high.value else end
        for end in (found.low, found.high)
    )
    return Interval(low, high, found.nonzero or excluded.constant == 0)


def held(value: TensorVal, found: Interval, mask: Value, ranges: Ranges) -> Interval:
    """The range of the elements of ``value`` for which a mask that was computed of it holds, although other elements have been
    assigned to since then; ``found`` is the range of all."""
    test, holds = truth(mask)
    if not isinstance(test, TensorVal) or test.producer is None or test.producer.kind not in NEGATED:
        return found
    maker = test.producer
    for subject, other, comparison in ((_X, _Y, maker.kind), (_Y, _X, SWAPPED[maker.kind])):
        if maker.args.get(subject) is value and maker.args.get(other) is not value:
            limit = _limit(maker, value, maker.args.get(other), ranges)
            return _limited(found, comparison if holds else NEGATED[comparison], limit)
    return found


def truth(mask: Value) -> tuple[Value, bool]:
    """The condition behind a mask, and whether it holds where the mask is true."""
    holds = True
    while (maker := maker_of(mask)) is not None and maker.kind in OPPOSITES:
        mask, holds = maker.args.get(_X), not holds
    return mask, holds


def kept(value: TensorVal, found: Interval, mask: TensorVal, ranges: Ranges) -> Interval:
    """The range of the elements of ``value`` that a mask computed from it leaves unchanged; ``found`` is the range of all."""
    test = mask.producer
    if test is None or test.kind not in NEGATED:
        return found
    for subject, comparison in (("x", test.kind), ("y", SWAPPED[test.kind])):
        other = test.args.get("y" if subject == "x" else "x")
        if test.args.get(subject) is value and other is not value:
            return _limited(found, NEGATED[comparison], _limit(test, value, other, ranges))
    return found
