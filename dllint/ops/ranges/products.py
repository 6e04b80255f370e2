"""Ranges of products of matrices, and of other sums of products."""

from __future__ import annotations

from typing import Final

from dllint.domains.interval import UNKNOWN, Interval, Origin, unbounded
from dllint.domains.interval_arithmetic import mul
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.ranges.reduce import NOTHING, may_be_empty, summed
from dllint.ops.ranges.rounding import started
from dllint.ops.ranges.spec import RangeCall, range_of, tensors

_ANYTHING: Final = unbounded(Origin.TRAINED)
_OPERANDS: Final = {"addmm": ("mat1", "mat2"), "baddbmm": ("batch1", "batch2")}


@range_of("matmul", "mm", "bmm", "mv", "dot", "np_dot", "tensordot", "batch_dot", "matvec")
def _matrix_product(call: RangeCall) -> Interval:
    """A product with trained numbers may be anything; a product of non-negative ones is not negative."""
    found = contracted(call.of("x"), call.of("y"), _contraction(call), call)
    return found.join(NOTHING) if may_be_empty(call.arg("x"), -1) else found


@range_of("addmm", "baddbmm")
def _added_product(call: RangeCall) -> Interval:
    first, second = _OPERANDS[call.op.kind]
    count = _last_size(call.arg(first))
    found = contracted(call.of(first), call.of(second), count, call)
    return started(_times(call, "alpha", found), _times(call, "beta", call.of("x")), count, call.fmt)


def _times(call: RangeCall, name: str, found: Interval) -> Interval:
    factor = call.arg(name)
    return found if factor in (None, 1) else mul(found, call.ranges(factor), call.fmt)


def _contraction(call: RangeCall) -> int | None:
    """How many products are added up, where that is the size of the first operand's last axis."""
    if call.op.kind in ("tensordot", "batch_dot") or call.arg("transpose_a"):
        return None
    operands = (call.arg("x"), call.arg("y"))
    return 1 if any(isinstance(value, TensorVal) and value.shape == () for value in operands) else _last_size(operands[0])


def _last_size(x: Value) -> int | None:
    size = x.shape[-1] if isinstance(x, TensorVal) and isinstance(x.shape, tuple) and x.shape else None
    return size if isinstance(size, int) else None


def contracted(x: Interval, y: Interval, count: int | None, call: RangeCall) -> Interval:
    """Sums of so many products."""
    if any(trained(operand) for operand in (x, y)):
        return unbounded(Origin.TRAINED)
    return summed(mul(x, y, call.fmt), count, call)


def trained(x: Interval) -> bool:
    """Whether numbers are unbounded because they are trained."""
    return x.low == _ANYTHING.low and x.high == _ANYTHING.high


@range_of("outer", "kron")
def _all_products(call: RangeCall) -> Interval:
    return mul(call.of("x"), call.of("y"), call.fmt)


@range_of("einsum")
def _named_axes(call: RangeCall) -> Interval:
    given = tensors(call.arg("operands"))
    values = tensors(given[0]) if len(given) == 1 else given
    operands = [call.ranges(value) for value in values]
    if not operands or any(trained(x) for x in operands):
        return unbounded(Origin.TRAINED) if operands else UNKNOWN
    found = operands[0]
    for other in operands[1:]:
        found = mul(found, other, call.fmt)
    found = summed(found, None, call)
    return found.join(NOTHING) if any(may_be_empty(value, None) for value in values) else found
