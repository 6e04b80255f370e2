"""Affine relations: bounds of ``(a + b) + (a - b)`` beyond those that the operands' ranges give."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Final

from dllint.domains.affine import AffineForm
from dllint.domains.finite import finite
from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Interval
from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having_any
from dllint.ops.ranges.places import Place, aligned, origin, result
from dllint.ops.ranges.spec import RangeCall, format_of, is_float, maker_of
from dllint.ops.traits import Trait

#: So many operations are looked through.
_DEEPEST: Final = 4


def tightened(call: RangeCall, found: Interval, sign: float) -> Interval:
    """The range of ``x + sign * y``, which is ``found`` by the operands' ranges alone, if these have terms in common: as whole
    tensors, or as the parts of tensors that lie there."""
    if call.integer or not (math.isfinite(found.low.value) and math.isfinite(found.high.value)):
        return found
    error = _rounding(found, call.fmt)
    for start in _starts(call):
        x, y = (_aligned_form(start, call.arg(name), call, _DEEPEST) for name in ("x", "y"))
        if x is not None and y is not None and x.shares(y):
            found = found.meet(x.plus(y.scaled(sign), error).interval(lambda term: _range(term, call)))
    return found


def _starts(call: RangeCall) -> Iterator[TensorVal | Place]:
    """The result, and its part under evaluation as a place."""
    value = call.op.outputs[call.index]
    yield value
    place = result(value, call.view.box) if call.view is not None else None
    if place is not None:
        yield place


def _range(term: Hashable, call: RangeCall) -> Interval:
    """The range of a term of a form: of a tensor, or of the elements at a place."""
    if isinstance(term, Place) and call.view is not None:
        return term.range(call.view)
    return call.ranges(term if isinstance(term, TensorVal) else Unknown("place"))


def _aligned_form(start: TensorVal | Place, value: Value, call: RangeCall, depth: int) -> AffineForm | None:
    """What an operand is beside the elements of a result."""
    if not isinstance(value, TensorVal):
        made = start.value if isinstance(start, Place) else start
        return _number(value, format_of(made.dtype, call.op.framework))
    if not isinstance(start, Place):
        return _form(value, call, depth)
    place = aligned(start, value)
    return None if place is None or call.view is None else _form(origin(place, call.view), call, depth)


def _number(value: Value, fmt: FloatFormat) -> AffineForm | None:
    """A number, which is rounded to a format."""
    number = finite(value)
    return AffineForm({}, number, abs(number) * 2.0**-fmt.precision) if number is not None else None


def _form(term: TensorVal | Place | float, call: RangeCall, depth: int) -> AffineForm | None:
    """A tensor, some of its elements or a number as an affine form; ``None`` for a tensor that may differ between
    evaluations."""
    if isinstance(term, (int, float)):
        return _number(term, call.fmt)
    value = term.value if isinstance(term, Place) else term
    if value.several or (value.stale and value is term):
        return None
    maker = maker_of(value)
    if maker is None or depth == 0 or maker.kind not in _STEPS or maker.varying or not is_float(value.dtype):
        return AffineForm({term: 1.0})
    found = _range(term, call)
    if not (math.isfinite(found.low.value) and math.isfinite(found.high.value)):
        return AffineForm({term: 1.0})
    made = _of_result(maker, term, call, depth - 1, _rounding(found, format_of(value.dtype, maker.framework)))
    return AffineForm({term: 1.0}) if made is None else made


_SUMS: Final = having_any(Trait.ADDS | Trait.SUBTRACTS)
_STEPS: Final = having_any(Trait.ADDS | Trait.SUBTRACTS | Trait.NEGATES | Trait.MULTIPLIES | Trait.DIVIDES)


def _of_result(op: Op, made: TensorVal | Place, call: RangeCall, depth: int, error: float) -> AffineForm | None:
    x, y = op.args.get("x"), op.args.get("y")
    if op.args.get("alpha") not in (None, 1) or op.args.get("rounding_mode") is not None:
        return None
    if op.kind in _SUMS:
        first, second = (_aligned_form(made, operand, call, depth) for operand in (x, y))
        return first.plus(second.scaled(1 if does(op, Trait.ADDS) else -1), error) if first and second else None
    if does(op, Trait.NEGATES):
        first = _aligned_form(made, x, call, depth)
        return first.scaled(-1) if first else None
    return _multiple(op, made, call, depth, error)


def _multiple(op: Op, made: TensorVal | Place, call: RangeCall, depth: int, error: float) -> AffineForm | None:
    """A tensor times or by a number."""
    x, y = op.args.get("x"), op.args.get("y")
    if does(op, Trait.MULTIPLIES) and isinstance(x, (int, float)):
        x, y = y, x
    inner, factor = _aligned_form(made, x, call, depth), finite(y)
    if inner is None or not factor:
        return None
    return inner.scaled(factor if does(op, Trait.MULTIPLIES) else 1 / factor, error)


def _rounding(found: Interval, fmt: FloatFormat) -> float:
    """A bound on the rounding error of a result, and of a number among its factors."""
    return max(abs(found.low.value), abs(found.high.value)) * 2.0 ** (1 - fmt.precision) + fmt.smallest
