"""Declaration of range transfer functions: the interval of an operation's result from those of its operands.

    @range_of("neg")
    def negated(call: RangeCall) -> Interval: ...

An operation without a declaration gives unknown bounds. Nothing here is imported before a rule asks for a range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Final, overload

from dllint.domains.dim import DimExpr, bounds, may_fall
from dllint.domains.dtype import BFLOAT16, FLOAT16, DType
from dllint.domains.finite import as_float
from dllint.domains.floating import BINARY32, BINARY64, FORMATS, FloatFormat
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, exactly
from dllint.domains.lattice import Unknown
from dllint.domains.partition import Box, Partition
from dllint.domains.shape import Shape
from dllint.ir.program import Framework, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on

Transfer = Callable[["RangeCall"], Interval]
RANGES: dict[str, Transfer] = {}


def range_of(*names: str) -> Callable[[Transfer], Transfer]:
    """Declare the range of the results of operations."""

    def declare(transfer: Transfer) -> Transfer:
        for name in names:
            assert name not in RANGES, f"the range of {name} is declared twice"
            RANGES[name] = transfer
        return transfer

    return declare


def limit(value: float, origin: Origin = Origin.UNKNOWN) -> Bound:
    """A bound that holds; unless stated otherwise it is not known to be reached."""
    return Bound(value, origin)


def unreached(found: Interval) -> Interval:
    """The same range with no end known to be reached."""
    low, high = found.low, found.high
    return Interval(Bound(low.value, Origin.UNKNOWN, low.closed), Bound(high.value, Origin.UNKNOWN, high.closed), found.nonzero)


@dataclass(frozen=True, slots=True)
class PartView:
    """The part of a result in a ``box`` (no box: all of it), and the parts of any tensor: as the operation takes it, and as it
    was made. ``writes``: the assignments to elements of a tensor before an operation, in order."""

    box: Box
    taken: Callable[[Value], Partition]
    produced: Callable[[Value], Partition]
    writes: Callable[[Op, TensorVal], Iterator[Op]]

    def unwritten(self, op: Op, value: TensorVal) -> bool:
        """Whether nothing was assigned to elements of a tensor before an operation."""
        return next(self.writes(op, value), None) is None


@dataclass(frozen=True, slots=True)
class RangeCall:
    """One result of a performed operation, or a part of it; ``ranges`` gives the range of an operand, in this part. Whether
    what is known of several values together counts is for ``relations`` to say; ``view`` is there if parts count, too.
    ``read`` has the names of the arguments that were asked for."""

    op: Op
    index: int
    ranges: Callable[[Value], Interval]
    relations: bool = True
    view: PartView | None = None
    read: set[str] = field(default_factory=set)

    def arg(self, name: str, default: Value = None) -> Value:
        """An argument as the program has it."""
        self.read.add(name)
        return self.op.args.get(name, default)

    def of(self, name: str) -> Interval:
        """The range of an argument."""
        return self.ranges(self.arg(name))

    @property
    def fmt(self) -> FloatFormat:
        """The format that the result is computed in."""
        return format_of(self.op.outputs[self.index].dtype, self.op.framework)

    @property
    def integer(self) -> bool:
        """Whether the result is made of whole numbers, which wrap around."""
        dtype = self.op.outputs[self.index].dtype
        return isinstance(dtype, DType) and dtype.kind == "int"


#: The formats of the parts of complex types, by the bits of both parts together.
_PARTS: Final[Mapping[int, FloatFormat]] = {64: BINARY32, 128: BINARY64}


def format_of(dtype: Value, framework: Framework) -> FloatFormat:
    """The format of an element type, or of the parts of a complex one; of an unknown one the framework's usual one."""
    if isinstance(dtype, DType) and dtype in FORMATS:
        return FORMATS[dtype]
    if isinstance(dtype, DType) and dtype.kind == "complex" and dtype.bits in _PARTS:
        return _PARTS[dtype.bits]
    return BINARY64 if framework in ("numpy", "python") or isinstance(dtype, DType) else BINARY32


def least_precision(call: RangeCall, *names: str) -> int:
    """The bits of the least precise type among those of a result and of some operands, of which parts may be computed in the
    operand's own type."""
    operands = (value.dtype for name in names if isinstance(value := call.arg(name), TensorVal))
    return min((FORMATS[dtype].precision for dtype in operands if isinstance(dtype, DType) and dtype in FORMATS),
               default=call.fmt.precision)  # fmt: skip


def of_scalar(value: Value) -> Interval:
    """The range of something that is no tensor: a number, or a size (at least 1)."""
    if isinstance(value, (bool, int, float)):
        return exactly(as_float(value)) if value == value else UNKNOWN
    if isinstance(value, DimExpr):
        low, high = bounds(value)
        largest = Bound(float(high)) if high is not None else Bound(float("inf"), Origin.UNKNOWN)
        least = float("-inf") if low is None and may_fall(value) else float(max(1, low or 1))
        return Interval(Bound(least, Origin.UNKNOWN), largest)
    return UNKNOWN


def operand(call: RangeCall, name: str) -> Interval:
    """The range of an operand, as the arithmetic of the result's type takes it: if that is not known, one of floating-point
    numbers. Keras may make a number a tensor of single precision before."""
    found, value, dtype = _given(call, name), call.arg(name), call.op.outputs[call.index].dtype
    return stored(found, value, call) if isinstance(dtype, DType) else _in_a_format(call.op.framework, found, value)


def placed(call: RangeCall, name: str) -> Interval:
    """The range of what elements of a result's type hold after those of an operand were put there."""
    return stored(_given(call, name), call.arg(name), call)


def _given(call: RangeCall, name: str) -> Interval:
    found, value = call.of(name), call.arg(name)
    if call.op.framework == "keras" and not isinstance(value, TensorVal):
        return found.join(in_format(found, value, BINARY32, call.op.framework))
    return found


def stored(found: Interval, value: Value, call: RangeCall) -> Interval:
    """What elements of the result's type hold after the numbers of a range, those of ``value``, were stored in them."""
    return held_by(call.op.outputs[call.index].dtype, call.op.framework, found, value)


def held_by(dtype: DType | Unknown, framework: Framework, found: Interval, value: Value) -> Interval:
    """The range of a tensor of an element type after numbers of a range, those of ``value``, were stored in it: integers are
    truncated, and integers that do not fit give an unknown range. An unknown type may be one of whole numbers or of truth
    values, or of half precision: ends that only these reach are not known to be reached."""
    if not isinstance(dtype, DType):
        halves = (in_format(found, value, FORMATS[half], framework) for half in (FLOAT16, BFLOAT16))
        others = reduce(Interval.join, halves, _cut(found, value).join(_truth_of(found)))
        return _beyond(_in_a_format(framework, found, value), others)
    if dtype.kind in ("float", "complex"):
        return in_format(found, value, format_of(dtype, framework), framework)
    if dtype.kind == "bool":
        return _truth_of(found)
    if dtype.kind != "int":
        return found
    largest = 2.0 ** (dtype.bits - dtype.signed)
    fits = -largest * dtype.signed <= found.low.value and found.high.value < largest
    return _cut(found, value) if fits else UNKNOWN


def _in_a_format(framework: Framework, found: Interval, value: Value) -> Interval:
    """A range in floating-point numbers of an unknown type: one of numpy may be single or double; the frameworks default to
    single precision, from which double precision differs by a rounding (``in_any_format``) but beyond its smallest and largest
    numbers."""
    single = in_format(found, value, BINARY32, framework)
    ends = zip((found.low.value, found.high.value), (single.low.value, single.high.value), strict=True)
    is_near = all(math.isfinite(stored) and (stored == 0) is (end == 0) for end, stored in ends if math.isfinite(end))
    return single if framework != "numpy" and is_near else single.join(in_format(found, value, BINARY64, framework))


def _cut(found: Interval, value: Value) -> Interval:
    """The whole numbers that are left of those of a range."""
    nonzero = found.nonzero and isinstance(value, TensorVal) and is_whole(value.dtype)
    return Interval(_truncated(found.low, -1), _truncated(found.high, 1), nonzero)


def _beyond(found: Interval, other: Interval) -> Interval:
    """A range with what another one has beyond it, of which it is not known whether it is reached."""
    both = found.join(other)
    low = found.low if both.low.value == found.low.value else Bound(both.low.value, Origin.UNKNOWN)
    high = found.high if both.high.value == found.high.value else Bound(both.high.value, Origin.UNKNOWN)
    return Interval(low, high, both.nonzero)


def _truth_of(x: Interval) -> Interval:
    """1 but for 0, which is reached as it is in the numbers themselves."""
    low = min(x.low, x.high, key=lambda end: abs(end.value))
    if not x.has_zero:
        return exactly(1)
    if x.constant == 0:
        return x
    return Interval(Bound(0.0, low.origin if low.value == 0 else x.origin), Bound(1.0, x.origin))


def _truncated(end: Bound, side: int) -> Bound:
    """The whole number that is left of the upper (``side`` 1) or lower (-1) end; of one that is not reached itself, that of
    the numbers before it, which are cut towards 0."""
    whole = math.trunc(end.value) if math.isfinite(end.value) else end.value
    if whole == end.value and end.closed:
        return end
    if not end.closed and whole == end.value and whole * side > 0:
        whole -= side
    return Bound(float(whole), end.origin)


def narrowed(found: Interval, value: Value, call: RangeCall) -> Interval:
    """A range rounded to the format of a result."""
    return in_format(found, value, call.fmt, call.op.framework)


def in_format(found: Interval, value: Value, fmt: FloatFormat, framework: Framework) -> Interval:
    """A range rounded to a format. Rounding numbers of a wider type reaches ends that they do not."""
    dtype = value.dtype if isinstance(value, TensorVal) else None
    keeps = isinstance(dtype, DType) and dtype.kind == "float" and format_of(dtype, framework).precision <= fmt.precision
    ends = [Bound(fmt.round(end.value), end.origin, end.closed or not keeps) for end in (found.low, found.high)]
    return Interval(ends[0], ends[1], found.nonzero and keeps)


def is_float(dtype: Value) -> bool:
    """Whether an element type is floating point, as far as is known."""
    return isinstance(dtype, Unknown) or (isinstance(dtype, DType) and dtype.kind == "float")


def is_whole(dtype: Value) -> bool:
    """Whether an element type is known to be one of whole numbers."""
    return isinstance(dtype, DType) and dtype.kind in ("int", "bool")


def tensors(value: Value) -> tuple[Value, ...]:
    """The members of a sequence argument."""
    return value if isinstance(value, tuple) else (value,)


#: Operations that move or copy elements and change none: their first operand's range is theirs.
MOVES: Final = having(Trait.SELECTS) - having_any(Trait.CONVERTS | Trait.TAKES_DATA)
#: Operations whose results are means of elements.
MEANS: Final = having(Trait.AVERAGES)
#: Operations that only lay elements out anew, so that two results of one tensor hold the same numbers.
LAYOUT: Final = having_any(Trait.KEEPS_ORDER | Trait.REPEATS)


def shape_of(value: Value) -> Shape | None:
    """The shape of a tensor whose rank is known."""
    found = value.shape if isinstance(value, TensorVal) else None
    return found if isinstance(found, tuple) else None


@overload
def laid_out(value: TensorVal, steps: frozenset[str] = LAYOUT) -> TensorVal: ...


@overload
def laid_out(value: Value, steps: frozenset[str] = LAYOUT) -> Value: ...


def laid_out(value: Value, steps: frozenset[str] = LAYOUT) -> Value:
    """The tensor behind steps that only lay elements out anew."""
    while isinstance(value, TensorVal) and not value.stale and (maker := maker_of(value)) is not None:
        if maker.kind not in steps or maker.spelled.endswith("_") or (x := handed_on(maker)) is None or _is_rounding(maker, x):
            break
        value = x
    return value


def _is_rounding(op: Op, x: TensorVal) -> bool:
    """Whether a conversion changes numbers, as far as is known."""
    before, after = x.dtype, op.output.dtype
    if not isinstance(before, DType) or not isinstance(after, DType) or before.kind != "float":
        return False
    if after.kind != "float":
        return True
    old, new = format_of(before, op.framework), format_of(after, op.framework)
    return new.precision < old.precision or new.largest < old.largest


def maker_of(value: Value) -> Op | None:
    """The operation that determines what a tensor is; ``None`` for anything else, as for one that was assigned to."""
    return value.producer if isinstance(value, TensorVal) and not value.varies and not value.stale else None
