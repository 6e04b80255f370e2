"""The ranges of a program's tensors, part by part, computed backwards from whoever asks.

Nothing is computed for a program without an operation that can go wrong. What loops replace is widened until it holds in
every iteration and then narrowed; what conditions on the way imply is met with it. Source order and the element type's rounding
count (:mod:`dllint.domains.interval_arithmetic`).

What was found is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, partial
from itertools import islice
from typing import Final

from dllint.analysis.ranges.alignment import aligned_box, aligned_cuts, element_cuts, is_rowwise
from dllint.analysis.ranges.conditions import RangeTests
from dllint.analysis.ranges.constants import Constants
from dllint.analysis.ranges.halves import Halves, halves, halves_of
from dllint.analysis.ranges.local_parameters import local_parameters
from dllint.analysis.ranges.loops import loops_of
from dllint.analysis.ranges.writes import RangeWrites
from dllint.domains.dtype import BFLOAT16, FLOAT16, DType
from dllint.domains.floating import FORMATS
from dllint.domains.integers import whole_numbers, wrapped
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, unbounded
from dllint.domains.interval_arithmetic import in_any_format, rounded
from dllint.domains.lattice import Unknown
from dllint.domains.partition import Box, Cuts, Partition, assembled, common, count, whole
from dllint.domains.precision import USUAL, Precision
from dllint.domains.stated import Stated
from dllint.ir.program import COMPUTE_DTYPE, Op, Program, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.aliases import is_in_place, shares, sharing, surely_shares
from dllint.ops.arguments import may_change_numbers
from dllint.ops.kinds import having_any
from dllint.ops.ranges import all as _families  # noqa: F401  (importing it declares the ranges)
from dllint.ops.ranges.conditions import refined
from dllint.ops.ranges.other_numbers import of_other_function
from dllint.ops.ranges.parts import PARTS, PartsCall, is_pointwise, selection
from dllint.ops.ranges.spec import RANGES, PartView, RangeCall, in_format, is_float, of_scalar, shape_of
from dllint.ops.traits import Trait

#: So many operations are looked through in a row, and so many in all for one program.
_DEEPEST: Final = 60
_MOST: Final = 20_000
#: So often a value that a loop carries is computed anew, and so many of them at once.
_ROUNDS: Final = 6
_NESTED: Final = 2
#: In the first rounds what is new is added; bounds that still move then are given up.
_JOINED: Final = 2
#: Names by which the interpreter marks tensors that are trained.
_WEIGHTS: Final = frozenset({"parameter", "weight"})
_NOTHING_KNOWN: Final = whole(UNKNOWN)


class Ranges:
    """The ranges in one program; see the module's docstring."""

    def __init__(self, program: Program, precision: Precision = USUAL) -> None:
        self._program = program
        self._precision = precision
        self._known: dict[int, Partition] = {}
        self._open: set[int] = set()
        self._depth = 0
        self._count = 0
        #: The loops of the values that are being settled, outermost first; ``None`` for one that is not known.
        self._settling: list[int | None] = []
        self._is_unkept = False
        self._tests = RangeTests(program)

    @property
    def is_cut(self) -> bool:
        """Whether more would have had to be looked at than there is work for, so that some ranges are not known."""
        return self._count > _MOST or self._tests.gave_up

    @cached_property
    def _inputs(self) -> frozenset[int]:
        return frozenset(value.id for value in self._program.inputs)

    @cached_property
    def _writes(self) -> RangeWrites:
        return RangeWrites(self._program)

    @cached_property
    def _constants(self) -> Constants:
        return Constants(self._program, self._precision.cells)

    @cached_property
    def _loops(self) -> dict[int, int]:
        return loops_of(self._program)

    @cached_property
    def _local_parameters(self) -> dict[int, TensorVal]:
        return local_parameters(self._program)

    def _loop(self, value: TensorVal) -> int | None:
        """The innermost loop in which a value is made, if that is known."""
        return self._loops.get(id(value.producer))

    @cached_property
    def _halves(self) -> Halves:
        return halves(self._program.ops)

    def of(self, value: Value) -> Interval:
        """The range of a tensor's elements, or of a number. Of a tensor whose elements are assigned to: at any time."""
        found = self.parts(value)
        if isinstance(value, TensorVal) and value.stale:
            for write in self._writes.to(value):
                found = found.join(self._written(value, write, found))
            source = next(islice(sharing(value), 1, None), None)
            if source is not None and source.stale:
                return found.smashed.join(self.of(source))
        return found.smashed

    def at(self, op: Op, value: Value) -> Interval:
        """The range of an operand where an operation takes it: tests on the way have excluded numbers."""
        return self._taken(op, value).smashed

    def parts(self, value: Value) -> Partition:
        """The parts of a tensor as its producer leaves it."""
        if not isinstance(value, TensorVal):
            return whole(of_scalar(value))
        found = self._known.get(value.id)
        if found is None:
            computed = self._known[value.id] = self._anew(value)
            found = self._known[value.id] = self._left(value, computed)
        return found

    @cached_property
    def _earlier(self) -> dict[int, list[TensorVal]]:
        """By identity of what a loop leaves: what it holds one pass earlier, which it leaves if it ends there."""
        out: dict[int, list[TensorVal]] = {}
        for value in (output for op in self._program.ops for output in op.outputs):
            for later in self._program.carried.get(value.id, ()):
                out.setdefault(later.id, []).append(value)
        return out

    def _left(self, value: TensorVal, found: Partition) -> Partition:
        """A value that a loop leaves after any number of passes; while that loop is settled itself, after all of them."""
        later = self._program.later.get(value.id)
        if later is not None:
            found = _joined(found, self.parts(later), later.shape == value.shape)
        if not self._program.carried or (self._settling and self._loop(value) in (None, *self._settling)):
            return found
        for earlier in self._earlier.get(value.id, ()):
            before = whole(self._at_any_time(earlier)) if earlier.stale else self.parts(earlier)
            found = _joined(found, before, earlier.shape == value.shape)
        return found

    def _at_any_time(self, value: TensorVal) -> Interval:
        """The range of a tensor that is assigned to. What is computed meanwhile rests on a part of what a loop leaves, and is
        not kept: another such tensor is not computed for it, nor is one for another loop, as that would be done once for each
        way that leads there."""
        if self._is_unkept or self._settling:
            return limited(UNKNOWN, value.stated)
        outer, self._known = self._known, dict(self._known)
        self._is_unkept = True
        try:
            return self.of(value)
        finally:
            self._is_unkept = False
            self._known = outer

    def _anew(self, value: TensorVal) -> Partition:
        """A value that is asked for while it is computed depends on itself in a way that no loop accounts for."""
        if value.id in self._open or self._exhausted():
            return whole(limited(UNKNOWN, value.stated))
        self._open.add(value.id)
        try:
            return self._looped(value)
        finally:
            self._open.discard(value.id)

    def _exhausted(self) -> bool:
        self._count += 1
        return self._depth >= _DEEPEST or self._count > _MOST

    # --- what an operation sees ---------------------------------------------------------------------------------------

    def _taken(self, op: Op, value: Value) -> Partition:
        """The parts of an operand where an operation takes it."""
        found, tests = self._seen(op, value), self._tests.on(op, value)
        if tests is None:
            return _NOTHING_KNOWN
        for test in tests:
            found = Partition(found.cuts, tuple(refined(value, cell, test, self.of) for cell in found.cells))
        return found

    def _given(self, op: Op, value: Value) -> Partition:
        """The parts of an operand as an operation computes with it: a Keras layer casts it to its own type first."""
        found = self._taken(op, value)
        dtype = op.layer.state.get(COMPUTE_DTYPE) if isinstance(op.layer, InstanceVal) else None
        if (
            not isinstance(dtype, DType)
            or not isinstance(value, TensorVal)
            or not is_float(value.dtype)
            or value.dtype == dtype
        ):
            return found
        return Partition(found.cuts, tuple(in_format(cell, value, FORMATS[dtype], op.framework) for cell in found.cells))

    def _seen(self, op: Op, value: Value) -> Partition:
        """The parts of an operand with what was assigned to them before, and to what it may be."""
        found = self._assigned(op, value)
        if isinstance(value, TensorVal):
            for write in self._writes.possible(op, value):
                found = found.join(whole(self.parts(write.output).smashed))
        return found

    def _assigned(self, op: Op, value: Value) -> Partition:
        """The parts of an operand with what was assigned to them before. What a constructor makes is as it was made until the
        constructor ends."""
        found = self.parts(value)
        if not isinstance(value, TensorVal):
            return found
        if not value.stale:
            maker = value.producer
            inside = maker is not None and maker.scope == op.scope and _is_state(maker)
            return self._performed(maker, value.index) if maker is not None and inside else found
        if not self._writes.are_all(value):
            return _NOTHING_KNOWN
        for write in self._writes.before(op, value):
            after = self._written(value, write, found)
            certain = not write.repeated and set(write.path) <= set(op.path)
            found = after if certain else found.join(after)
        if self._writes.has_aliased(op, value) and not self._is_view(value):
            return _NOTHING_KNOWN
        return self._shared(op, value, found)

    def _is_view(self, value: TensorVal) -> bool:
        """Whether a tensor is a view, so that what was written to it otherwise is found where it was taken from."""
        return value.producer is not None and not is_in_place(value.producer) and shares(value.producer)

    def _shared(self, op: Op, value: TensorVal, found: Partition) -> Partition:
        """The parts of a view with what was assigned to the tensor that it is a view of."""
        source = next(islice(sharing(value), 1, None), None)
        if source is None or not source.stale or value.producer is None or is_in_place(value.producer):
            return found
        taken, now = selection(value.producer, value.index), self._seen(op, source)
        return found.join(whole(now.smashed) if taken is None else taken.take(now))

    def _written(self, value: TensorVal, write: Op, before: Partition) -> Partition:
        """A tensor after an assignment to it, or to a part of it that was taken since the assignment before."""
        target, after = write.args.get("x"), self.parts(write.output)
        if target is value:
            return after
        shape, maker = shape_of(target), target.producer if isinstance(target, TensorVal) else None
        if not isinstance(target, TensorVal) or maker is None or shape is None:
            return before.join(whole(after.smashed))
        taken = selection(maker, target.index) if maker.args.get("x") is value else None
        if taken is None or self._writes.intervene(value, maker, write):
            return before.join(whole(after.smashed))
        found = taken.put(before, after, len(shape))
        return found if surely_shares(maker, target.index) else before.join(found)

    # --- loops --------------------------------------------------------------------------------------------------------

    def _looped(self, value: TensorVal) -> Partition:
        """What is stated about a value is not stated about those that take its place."""
        following, stated = self._program.carried.get(value.id), value.stated
        found = self._computed(value)
        if stated is not None:
            found = Partition(found.cuts, tuple(limited(cell, stated) for cell in found.cells))
        if not following or _is_top(found.smashed):
            return found
        return self._settled(value, found, following)

    def _settled(self, value: TensorVal, first: Partition, following: list[TensorVal]) -> Partition:
        """The range in every iteration, from that in the first: bounds that move are widened, and those that one more iteration
        confirms are restored."""
        if len(self._settling) >= _NESTED:
            return _NOTHING_KNOWN
        guess = first
        for number in range(_ROUNDS):
            after = self._iterated(value, guess, first, following)
            if after.within(guess):
                return guess.narrow(after)
            guess = guess.join(after) if number < _JOINED else guess.widen(after)
        return _NOTHING_KNOWN

    def _iterated(self, value: TensorVal, guess: Partition, first: Partition, following: list[TensorVal]) -> Partition:
        """The join of a value's range before the loop and after an iteration that starts with a guess."""
        outer, still_open = self._known, self._open
        self._known, self._open = {**outer, value.id: guess}, set()
        self._settling.append(next((loop for tensor in following if (loop := self._loop(tensor)) is not None), None))
        try:
            after = first
            for tensor in following:
                after = _joined(after, self.parts(tensor), tensor.shape == value.shape)
            return after
        finally:
            self._known, self._open = outer, still_open
            self._settling.pop()

    # --- operations ---------------------------------------------------------------------------------------------------

    def _computed(self, value: TensorVal) -> Partition:
        if value.stale and not self._writes.are_all(value):
            return _NOTHING_KNOWN
        maker = value.producer
        if maker is None:
            return whole(self._without_maker(value))
        if maker.args.get("requires_grad") is True:
            return whole(unbounded(Origin.TRAINED))
        if _is_state(maker):
            return _NOTHING_KNOWN
        if self._precision.written and (written := self._constants.of(value)) is not None:
            return written
        self._depth += 1
        try:
            return self._limited(self._performed(maker, value.index), value)
        finally:
            self._depth -= 1

    def _limited(self, found: Partition, value: TensorVal) -> Partition:
        """Parts within the limits of the element type, and not more of them than the precision allows."""
        dtype = value.dtype
        if not all(cell.low.value <= cell.high.value for cell in found.cells):  # NaN is neither
            return _NOTHING_KNOWN
        if isinstance(dtype, DType) and dtype.kind in ("int", "bool"):
            found = Partition(found.cuts, tuple(wrapped(whole_numbers(cell), dtype) for cell in found.cells))
        elif dtype in (FLOAT16, BFLOAT16):
            fmt = FORMATS[dtype]
            found = Partition(found.cuts, tuple(rounded(cell, fmt) for cell in found.cells))
        elif isinstance(dtype, Unknown) and value.producer is not None:
            found = self._of_unknown_type(found, value.producer)
        return found.simplified(self._precision.cells)

    def _of_unknown_type(self, found: Partition, maker: Op) -> Partition:
        """Parts of a result that may have any precision, half precision where it is computed from such numbers."""
        possible = halves_of(maker, self._halves)
        formats = [FORMATS[dtype] for dtype in (FLOAT16, BFLOAT16) if dtype in possible]
        taken = [cell for given in maker.inputs for cell in self._taken(maker, given).cells]
        kept = {end.value for cell in taken for end in (cell.low, cell.high)}
        return Partition(found.cuts, tuple(in_any_format(cell, formats, kept) for cell in found.cells))

    def _performed(self, op: Op, index: int) -> Partition:
        """The parts of a result."""
        if (other := of_other_function(op)) is not None:
            return whole(other)
        seen = partial(self._given, op)
        if self._precision.cells > 1 and (declared := PARTS.get(op.kind)) is not None:
            found = declared(PartsCall(op, index, seen, self._latest(op)))
            if found is not None:
                return found
        transfer = RANGES.get(op.kind)
        if transfer is None:
            return _NOTHING_KNOWN
        relations, cuts = self._precision.relations, self._grid(op, index, seen)
        read: set[str] = set()

        def transferred(ranges: Callable[[Value], Interval], box: Box) -> Interval:
            return transfer(RangeCall(op, index, ranges, relations, self._view(seen, box), read))

        view = partial(_in_box, op, index, seen)
        found = (
            assembled(cuts, lambda box: transferred(partial(view, box), box))
            if cuts
            else whole(transferred(lambda value: seen(value).smashed, ()))
        )
        unread = may_change_numbers(op.kind, op.args, op.defaulted) - read
        return found if not unread or _is_any(found.smashed) else _NOTHING_KNOWN

    def _view(self, seen: Callable[[Value], Partition], box: Box) -> PartView | None:
        """The view in which relations between parts are looked up."""
        if not self._precision.relations or self._precision.cells == 1:
            return None
        return PartView(box, seen, self.parts, self._writes.before)

    def _grid(self, op: Op, index: int, seen: Callable[[Value], Partition]) -> Cuts:
        """The cuts of a result whose elements are computed from those of its operands at the same place, or in the same row."""
        shape = shape_of(op.outputs[index])
        if self._precision.cells == 1 or not shape:
            return ()
        cuts = element_cuts(shape, self._precision.cells) if self._precision.elements else ()
        if not cuts and (is_pointwise(op) or is_rowwise(op)):
            cuts = common(aligned_cuts(op, shape, value, seen(value).cuts) for value in op.inputs)
        return cuts if any(cuts) and count(cuts) <= self._precision.cells else ()

    def _latest(self, op: Op) -> int:
        """The ``id`` of what the latest assignment to elements of ``x`` before an operation has made."""
        x = op.args.get("x")
        if not isinstance(x, TensorVal) or not x.stale:
            return 0
        return max((write.output.id for write in self._writes.before(op, x)), default=0)

    def _without_maker(self, value: TensorVal) -> Interval:
        if value.low is not None or value.high is not None:
            low = Bound(-math.inf, Origin.UNKNOWN) if value.low is None else Bound(value.low)
            return Interval(low, Bound(math.inf, Origin.UNKNOWN) if value.high is None else Bound(value.high))
        if value.id in self._inputs:
            return unbounded(Origin.INPUT) if is_float(value.dtype) else UNKNOWN
        if value.name not in _WEIGHTS:
            return UNKNOWN
        data = self._local_parameters.get(value.id)
        return unbounded(Origin.TRAINED) if data is None else self.of(data)


def _in_box(op: Op, index: int, seen: Callable[[Value], Partition], box: Box, value: Value) -> Interval:
    """The range of what an operation takes from an operand for a box of its result."""
    found, shape = seen(value), shape_of(op.outputs[index])
    if not found.cuts or shape is None:
        return found.smashed
    place = aligned_box(op, shape, value, box)
    return found.smashed if place is None else found.over(place)


def _joined(a: Partition, b: Partition, alike: bool) -> Partition:
    """Two partitions of tensors of one shape (``alike``), or of different ones."""
    return a.join(b) if alike else whole(a.smashed.join(b.smashed))


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


def _is_any(found: Interval) -> bool:
    """Whether no number is excluded."""
    return math.isinf(found.low.value) and math.isinf(found.high.value) and not found.nonzero


def _is_top(found: Interval) -> bool:
    """Whether nothing is said of a value."""
    return not found.known and math.isinf(found.low.value) and math.isinf(found.high.value)


#: Makers of what is declared, and not state.
_DECLARED: Final = having_any(Trait.VARIABLE | Trait.PLACEHOLDER)


def _is_state(maker: Op) -> bool:
    """Whether a tensor is made by a constructor out of nothing: a state that methods change, loading included."""
    return maker.scope.endswith(".__init__") and not maker.inputs and maker.kind not in _DECLARED
