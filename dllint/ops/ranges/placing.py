"""Ranges of tensors into which elements are scattered: each element is of one tensor or of the other."""

from __future__ import annotations

from dllint.domains.interval import UNKNOWN, Interval, exactly
from dllint.domains.interval_arithmetic import mul
from dllint.ops.ranges.reduce import summed
from dllint.ops.ranges.spec import RangeCall, operand, placed, range_of, unreached


@range_of("scatter", "index_copy", "index_fill", "index_put", "masked_scatter")
def _placed(call: RangeCall) -> Interval:
    if call.arg("reduce") is not None or call.arg("accumulate"):
        return UNKNOWN
    return call.of("x").join(placed(call, _name(call))) if call.arg(_name(call)) is not None else UNKNOWN


def _name(call: RangeCall) -> str:
    return "src" if call.arg("src") is not None else "value"


def _source(call: RangeCall) -> Interval:
    return operand(call, _name(call)) if call.arg(_name(call)) is not None else UNKNOWN


@range_of("scatter_add", "index_add")
def _added(call: RangeCall) -> Interval:
    """Any number of elements is added to one."""
    source = _source(call)
    if call.arg("alpha") not in (None, 1):
        source = mul(source, call.ranges(call.arg("alpha")), call.fmt)
    added = summed(source, None, call).join(exactly(0))
    return unreached(summed(call.of("x").join(added), None, call))


@range_of("scatter_nd")
def _in_zeros(call: RangeCall) -> Interval:
    """Elements scattered into zeros; those at the same place are added up."""
    return unreached(summed(_source(call), None, call).join(exactly(0)))


@range_of("fold")
def _overlapping(call: RangeCall) -> Interval:
    """``fold``: overlapping columns are added up; some places get none."""
    return unreached(summed(call.of("x"), None, call).join(exactly(0)))


@range_of("setitem")
def _assigned(call: RangeCall) -> Interval:
    return call.of("x").join(placed(call, "value"))


@range_of("assign")
def _variable(call: RangeCall) -> Interval:
    return call.of("x")


@range_of("feed")
def _fed(call: RangeCall) -> Interval:
    return call.of("x")
