"""The ranges of a program's tensors, computed backwards from whoever asks.

Nothing is computed for a program without an operation that can go wrong. A range is that of all elements; what loops
replace is joined over the iterations; what conditions on the way tell is met with it. Source order and the element
type's rounding count (:mod:`dllint.domains.interval_arithmetic`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial, reduce
from typing import Any, Final

from dllint.domains.interval import UNKNOWN, Interval, Origin, unbounded
from dllint.domains.stated import Stated
from dllint.ir.program import Op, Program, TensorVal
from dllint.ops.ranges import all as _families  # noqa: F401  (importing it declares the ranges)
from dllint.ops.ranges.conditions import constrained
from dllint.ops.ranges.parts import Region, is_pointwise, pieces
from dllint.ops.ranges.spec import RANGES, RangeCall, is_float, of_scalar

#: So many operations are looked through in a row, and so many in all for one program.
_DEEPEST: Final = 60
_MOST: Final = 20_000
#: So often a value that a loop carries is computed anew, and so many of them at once.
_ROUNDS: Final = 3
_NESTED: Final = 2
#: Names by which the interpreter marks tensors that are trained.
_WEIGHTS: Final = frozenset({"parameter", "weight"})


class Ranges:
    """The ranges in one program; see the module's docstring."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, Interval] = {}
        self._depth = 0
        self._count = 0
        self._nested = 0

    @cached_property
    def _inputs(self) -> frozenset[int]:
        return frozenset(value.id for value in self._program.inputs)

    @cached_property
    def _tests(self) -> dict[int, TensorVal]:
        """The results that conditions can ask about, by identity."""
        return {id(output): output for op in self._program.ops for output in op.outputs}

    def of(self, value: Any) -> Interval:
        """The range of a tensor's elements, or of a number."""
        if not isinstance(value, TensorVal):
            return of_scalar(value)
        found = self._known.get(value.id)
        if found is None:
            found = limited(UNKNOWN if self._exhausted() else self._looped(value), value.stated)
            self._known[value.id] = found
        return found

    def at(self, op: Op, value: Any) -> Interval:
        """The range of an operand where an operation takes it: tests on the way have excluded numbers."""
        found = self.of(value)
        for identity, held in op.tested.items():
            test = self._tests.get(identity)
            if test is not None:
                found = constrained(value, found, test, held, self.of)
        return found

    def _exhausted(self) -> bool:
        self._count += 1
        return self._depth >= _DEEPEST or self._count > _MOST

    def _looped(self, value: TensorVal) -> Interval:
        following = self._program.carried.get(value.id)
        found = self._computed(value)
        if not following or not found.known:
            return found
        return self._settled(value, found, following)

    def _settled(self, value: TensorVal, first: Interval, following: list[TensorVal]) -> Interval:
        """What holds in every iteration, from what holds in the first: bounds that move are given up."""
        if self._nested >= _NESTED:
            return UNKNOWN
        guess = first
        outer, self._nested = self._known, self._nested + 1
        try:
            for _ in range(_ROUNDS):
                self._known = {**outer, value.id: guess}
                after = guess
                for tensor in following:
                    after = after.widen(self.of(tensor))
                if after.within(guess):
                    return guess
                guess = after
        finally:
            self._known, self._nested = outer, self._nested - 1
        return UNKNOWN

    def _computed(self, value: TensorVal) -> Interval:
        if value.modified:
            return UNKNOWN
        maker = value.producer
        if maker is None:
            return self._without_maker(value)
        if maker.args.get("requires_grad") is True:
            return unbounded(Origin.TRAINED)
        transfer = RANGES.get(maker.kind)
        if transfer is None or _is_state(maker):
            return UNKNOWN
        self._depth += 1
        try:
            return transfer(RangeCall(maker, value.index, self._operand(maker), self._part))
        finally:
            self._depth -= 1

    def _part(self, value: Any, region: Region) -> Interval:
        """The range of a region of a tensor."""
        maker = value.producer if isinstance(value, TensorVal) else None
        if maker is None or value.modified or value.id in self._program.carried or self._exhausted():
            return self.of(value)
        self._depth += 1
        try:
            if maker.kind in ("cat", "stack"):
                return limited(self._pieces(value, maker, region), value.stated)
            transfer = RANGES.get(maker.kind) if is_pointwise(maker) else None
            if transfer is None:
                return self.of(value)
            found = transfer(RangeCall(maker, value.index, partial(self._beside, value.shape, region), self._part))
            return limited(found, value.stated)
        finally:
            self._depth -= 1

    def _beside(self, shape: Any, region: Region, operand: Any) -> Interval:
        """The range of what an operation by element takes from an operand for a region of its result."""
        fits = isinstance(operand, TensorVal) and isinstance(shape, tuple) and operand.shape == shape
        return self._part(operand, region) if fits else self.of(operand)

    def _pieces(self, value: TensorVal, maker: Op, region: Region) -> Interval:
        found = pieces(maker, region)
        if not found:
            return self.of(value)
        ranges = [self.of(tensor) if inner is None else self._part(tensor, inner) for tensor, inner in found]
        return reduce(Interval.join, ranges)

    def _operand(self, op: Op) -> Callable[[Any], Interval]:
        """How an operation sees its operands; a state of the object that another method made may have changed since."""
        return (lambda value: self.at(op, value)) if op.tested else self.of

    def _without_maker(self, value: TensorVal) -> Interval:
        if value.id in self._inputs:
            return unbounded(Origin.INPUT) if is_float(value.dtype) else UNKNOWN
        return unbounded(Origin.TRAINED) if value.name in _WEIGHTS else UNKNOWN


def limited(found: Interval, stated: Stated | None) -> Interval:
    """A range with what is stated about it; if no number fits both, nothing is known."""
    if stated is None:
        return found
    return UNKNOWN if contradicts(found, stated.interval) else found.meet(stated.interval)


def contradicts(a: Interval, b: Interval) -> bool:
    """Whether no number belongs to both of two ranges."""
    low, high = max(a.low.value, b.low.value), min(a.high.value, b.high.value)
    if low != high:
        return low > high
    return not all(bound.closed for bound in (a.low, a.high, b.low, b.high) if bound.value == low)


def _is_state(maker: Op) -> bool:
    """Whether a tensor is made by a constructor out of nothing: a state that methods change, loading included."""
    return maker.scope.endswith(".__init__") and not maker.inputs and maker.kind not in ("variable", "placeholder")
