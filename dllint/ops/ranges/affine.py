"""Sums of multiples: what is known of ``(a + b) + (a - b)`` beyond the ranges of its operands."""

from __future__ import annotations

import math
from typing import Any, Final

from dllint.domains.affine import AffineForm
from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Interval
from dllint.ir.program import Op, TensorVal
from dllint.ops.ranges.conditions import Ranges
from dllint.ops.ranges.spec import RangeCall, format_of, is_float, maker_of

#: So many operations are looked through.
_DEEPEST: Final = 4


def tightened(call: RangeCall, found: Interval, sign: float) -> Interval:
    """The range of ``x + sign * y``, which is ``found`` by the operands' ranges alone, if these have terms in common."""
    if call.integer or not (math.isfinite(found.low.value) and math.isfinite(found.high.value)):
        return found
    x, y = form(call.arg("x"), call.ranges), form(call.arg("y"), call.ranges)
    if x is None or y is None or not x.shares(y):
        return found
    total = x.plus(y.scaled(sign), _rounding(found, call.fmt))
    terms = {value.id: value for value in _terms(call.op)}
    return found.meet(total.interval(lambda term: call.ranges(terms[term])))


def form(value: Any, ranges: Ranges, depth: int = _DEEPEST) -> AffineForm | None:
    """A number or tensor as a sum of multiples; ``None`` for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return AffineForm({}, float(value)) if math.isfinite(value) else None
    if not isinstance(value, TensorVal) or value.several or value.stale:
        return None
    maker = maker_of(value)
    if maker is None or depth == 0 or maker.kind not in _STEPS or not is_float(value.dtype):
        return AffineForm({value.id: 1.0})
    found = ranges(value)
    if not (math.isfinite(found.low.value) and math.isfinite(found.high.value)):
        return AffineForm({value.id: 1.0})
    made = _made(maker, ranges, depth - 1, _rounding(found, format_of(value.dtype, maker.framework)))
    return AffineForm({value.id: 1.0}) if made is None else made


_STEPS: Final = frozenset({"add", "sub", "neg", "mul", "div"})


def _made(op: Op, ranges: Ranges, depth: int, error: float) -> AffineForm | None:
    x, y = op.args.get("x"), op.args.get("y")
    if op.args.get("alpha") not in (None, 1) or op.args.get("rounding_mode") is not None:
        return None
    if op.kind in ("add", "sub"):
        first, second = form(x, ranges, depth), form(y, ranges, depth)
        return first.plus(second.scaled(1 if op.kind == "add" else -1), error) if first and second else None
    if op.kind == "neg":
        first = form(x, ranges, depth)
        return first.scaled(-1) if first else None
    return _multiple(op, ranges, depth, error)


def _multiple(op: Op, ranges: Ranges, depth: int, error: float) -> AffineForm | None:
    """A tensor times or by a number."""
    x, y = op.args.get("x"), op.args.get("y")
    if op.kind == "mul" and isinstance(x, int | float):
        x, y = y, x
    inner = form(x, ranges, depth)
    if inner is None or isinstance(y, bool) or not isinstance(y, int | float) or not math.isfinite(y) or y == 0:
        return None
    return inner.scaled(y if op.kind == "mul" else 1 / y, error)


def _rounding(found: Interval, fmt: FloatFormat) -> float:
    """What rounding a result, and a number among its operands, changes at most."""
    return max(abs(found.low.value), abs(found.high.value)) * 2.0 ** (1 - fmt.precision) + fmt.smallest


def _terms(op: Op, depth: int = _DEEPEST) -> list[TensorVal]:
    """The tensors that may be terms of an operation's operands."""
    out: list[TensorVal] = []
    for value in op.inputs:
        out.append(value)
        if value.producer is not None and value.producer.kind in _STEPS and depth:
            out += _terms(value.producer, depth - 1)
    return out
