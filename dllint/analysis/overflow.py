"""Exponentials whose argument may be larger than what their element type can hold the result of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.uses import is_weight, is_worked_on, operand_range
from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Bound, Interval, Origin
from dllint.domains.interval_arithmetic import absolute, neg
from dllint.ir.program import Op
from dllint.ir.values import Value
from dllint.ops.kinds import does, having
from dllint.ops.ranges.spec import format_of
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.domains.enclosure import Enclosure


@dataclass(frozen=True, slots=True)
class Overflow:
    """The argument and its range, the end of it (in the direction in which the function grows) that exceeds ``limit``, and
    whether all of it does. ``direction`` is 1 for functions that grow with their argument, -1 for those that fall, and 0 for
    those that grow to either side."""

    operand: Any
    found: Interval
    bound: Bound
    limit: float
    fmt: FloatFormat
    always: bool
    direction: int

    def is_met(self, elements: Enclosure) -> bool:
        """Whether one of the elements is surely beyond the limit."""
        above, below = elements.low > self.limit, elements.high < -self.limit
        return bool((self.direction >= 0 and above.any()) or (self.direction <= 0 and below.any()))


def overflow(op: Op, facts: Facts) -> Overflow | None:
    """How an exponential may overflow; ``None`` if it is not known to."""
    operand, fmt = _exponent(op), format_of(op.output.dtype if op.outputs else None, op.framework)
    if operand is None or is_weight(operand) or (does(op, Trait.RAISES) and getattr(operand, "producer", None) is None):
        return None
    found = operand_range(op, operand, facts)
    steepest, limit = _steepest(op, found), _largest(op, fmt)
    if not steepest.high.known or steepest.high.value <= limit or is_worked_on(found, operand):
        return None
    always = steepest.low.value > limit and steepest.low.origin <= Origin.STATED
    return Overflow(operand, found, steepest.high, limit, fmt, always, _direction(op))


def _exponent(op: Op) -> Any:
    """The argument of the exponential; that of a power only if its base is a constant above 0."""
    if not does(op, Trait.RAISES):
        return op.args.get("x")
    base = op.args.get("x")
    return op.args.get("y") if _is_base(base) else None


def _is_base(value: Value) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 and value != 1


#: Functions that grow to either side.
_EVEN: Final = having(Trait.HYPERBOLIC)


def _direction(op: Op) -> int:
    base = op.args.get("x")
    falling = does(op, Trait.RAISES) and _is_base(base) and base < 1
    return 0 if op.kind in _EVEN else -1 if falling else 1


def _steepest(op: Op, found: Interval) -> Interval:
    """The range in the direction in which the function grows."""
    if op.kind in _EVEN:
        return absolute(found)
    base = op.args.get("x")
    return neg(found) if does(op, Trait.RAISES) and _is_base(base) and base < 1 else found


def _largest(op: Op, fmt: FloatFormat) -> float:
    """The largest argument whose result is finite."""
    natural = math.log(fmt.largest)
    if does(op, Trait.EXPONENTIAL) and not does(op, Trait.NATURAL):
        return natural / math.log(2)
    base = op.args.get("x")
    return natural / abs(math.log(base)) if does(op, Trait.RAISES) and _is_base(base) else natural
