"""Sums that choose: ``mask * a + (1 - mask) * b``, as ``where(mask, a, b)`` would, and ``x + (x == 0) * a``, which only adds
where a condition on the other operand holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dllint.domains.dtype import DType
from dllint.domains.interval import Interval
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does
from dllint.ops.ranges.conditions import NEGATED, OPPOSITES, SWAPPED, constrained
from dllint.ops.ranges.order import same
from dllint.ops.ranges.spec import RangeCall, laid_out, maker_of, narrowed, shape_of
from dllint.ops.traits import Trait

#: A condition on elements and whether it holds where its mask is 1.
_Mask = tuple[TensorVal, bool]
#: Conditions may be inverted this often.
_DEEPEST = 4


def selected(call: RangeCall) -> Interval | None:
    """The range of ``x + y``, where each is a product with a mask and one of the masks is 1 where the other is 0; ``None`` for
    any other sum."""
    for first in _products(call.arg("x")):
        for second in _products(call.arg("y")):
            if _are_complements(first[0], second[0]):
                return _part(call, *first).join(_part(call, *second))
    return None


def corrected(call: RangeCall, operation: Callable[[Interval, Interval], Interval]) -> Interval | None:
    """The range of a sum or difference one of whose operands is what a condition on the other one chooses; ``None`` if neither
    is chosen. ``operation`` gives the range of the result from those of both operands."""
    x, y = call.arg("x"), call.arg("y")
    if not isinstance(x, TensorVal) or not isinstance(y, TensorVal) or shape_of(x) != shape_of(y):
        return None
    found: Interval | None = None
    for choice, own, is_first in ((y, x, True), (x, y, False)):
        for (test, holds), chosen, other in _choices(choice):
            cases = []
            for mask, value in (((test, holds), chosen), ((test, not holds), other)):
                own_part, added = _part(call, mask, own), _part(call, mask, value)
                result = operation(own_part, added) if is_first else operation(added, own_part)
                cases.append(replace(result, nonzero=result.nonzero or (own_part.nonzero and added.constant == 0)))
            both = cases[0].join(cases[1])
            found = both if found is None else found.meet(both)
    return found


def _choices(value: TensorVal) -> Iterator[tuple[_Mask, Value, Value]]:
    """The ways to read a tensor as one of two values, by a condition on each element."""
    for mask, factor in _products(value):
        yield mask, factor, 0.0
    maker = maker_of(laid_out(value))
    if does(maker, Trait.CHOOSES) and (choice := _mask(maker.args.get("condition"))) is not None:
        chosen, other = maker.args.get("x"), maker.args.get("y")
        if chosen is not None and other is not None:
            yield choice, chosen, other


def _part(call: RangeCall, mask: _Mask, value: Value) -> Interval:
    test, holds = mask
    found = narrowed(call.ranges(value), value, call)
    return constrained(value, found, test, holds, call.ranges) if isinstance(value, TensorVal) else found


def _products(value: Value) -> list[tuple[_Mask, Value]]:
    """The ways to read a value as a mask times something else; a mask alone is one times 1."""
    alone = _mask(value)
    out: list[tuple[_Mask, Value]] = [] if alone is None else [(alone, 1.0)]
    maker = maker_of(value)
    if does(maker, Trait.MULTIPLIES):
        x, y = maker.args.get("x"), maker.args.get("y")
        out += [(mask, other) for factor, other in ((x, y), (y, x)) if (mask := _mask(factor)) is not None]
    return out


def _mask(value: Value, depth: int = _DEEPEST) -> _Mask | None:
    """The condition that a tensor of zeros and ones stands for."""
    if not isinstance(value, TensorVal) or depth == 0:
        return None
    plain = laid_out(value)
    maker = maker_of(plain)
    if maker is None:
        return None
    if does(maker, Trait.CONVERTS):
        return _mask(maker.args.get("x"), depth - 1) if _is_truth(maker.args.get("x")) else None
    if maker.kind in OPPOSITES and _is_truth(plain):
        return _inverted(_mask(maker.args.get("x"), depth - 1))
    if does(maker, Trait.SUBTRACTS) and maker.args.get("x") == 1:
        return _inverted(_mask(maker.args.get("y"), depth - 1))
    return (plain, True) if _is_truth(plain) else None


def _inverted(mask: _Mask | None) -> _Mask | None:
    return None if mask is None else (mask[0], not mask[1])


def _is_truth(value: Value) -> bool:
    return isinstance(value, TensorVal) and isinstance(value.dtype, DType) and value.dtype.kind == "bool"


def _are_complements(first: _Mask, second: _Mask) -> bool:
    """Whether one of two masks is 1 exactly where the other one is 0."""
    if same(first[0], second[0]):
        return first[1] is not second[1]
    a, b = maker_of(first[0]), maker_of(second[0])
    if a is None or b is None or a.kind not in NEGATED or b.kind not in NEGATED or first[1] is not second[1]:
        return False
    opposite = NEGATED[a.kind]
    return (b.kind == opposite and _alike(a, b, "x", "y")) or (b.kind == SWAPPED[opposite] and _alike(a, b, "y", "x"))


def _alike(a: Op, b: Op, first: str, second: str) -> bool:
    """Whether the operands of a comparison are those of another one, which has them under these names."""
    pairs = (a.args.get("x"), b.args.get(first)), (a.args.get("y"), b.args.get(second))
    return all(same(one, other) if isinstance(one, TensorVal) else one == other for one, other in pairs)
