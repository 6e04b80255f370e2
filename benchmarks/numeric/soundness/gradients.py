"""Which gradients of a program are claimed to be finite.

From the result that is differentiated back: an operation hands a finite gradient on if ``is_gradient_finite`` says so of it,
and if no product along the way can be too large for its element type. Where anything else is on the way nothing is claimed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from benchmarks.numeric.soundness.slopes import LAYOUT, STOPS, is_pointwise, most, slope
from dllint.analysis.facts import Facts
from dllint.domains.dtype import DType
from dllint.ir import events
from dllint.ir.program import Op, TensorVal
from dllint.ops.ranges.hazards import is_gradient_finite
from dllint.ops.ranges.spec import format_of

#: By so much the intermediate results of a gradient may be larger than the gradient.
_MARGIN: Final = 16
#: Operands and results are at most so large: their squares are numbers of single precision.
_LARGEST: Final = 1e18


def bounded_gradients(facts: Facts) -> frozenset[int]:
    """The ``id`` of the values whose gradients are claimed to be finite."""
    targets = [event.target for event in facts.events(events.Backward)]
    if len(targets) != 1 or not isinstance(targets[0], TensorVal) or facts.program.carried:
        return frozenset()
    bounds: dict[int, float] = defaultdict(float)
    bounds[targets[0].id] = 1.0
    known: dict[int, float] = {}
    for op in reversed(facts.program.ops):
        for output in op.outputs:
            if output.id in bounds:
                known[output.id] = _kept(output, bounds[output.id])
                if op.repeated or output.stale:
                    return frozenset()
                for value, steepness in _handed_back(op, facts):
                    if value.producer is None:
                        return frozenset()
                    bounds[value.id] += known[output.id] * steepness
    return frozenset(identity for identity, bound in known.items() if bound < math.inf)


def _kept(value: TensorVal, bound: float) -> float:
    """A bound, or infinity if numbers as large may not be numbers of the element type."""
    return bound if bound * _MARGIN < format_of(value.dtype, "torch").largest else math.inf


def _handed_back(op: Op, facts: Facts) -> Iterator[tuple[TensorVal, float]]:
    """What an operation hands a gradient back to, and by how much larger than its own it may be."""
    if op.kind in STOPS:
        return
    ranges = partial(facts.ranges.at, op)
    finite = is_gradient_finite(op, ranges) and all(
        most(facts.ranges.of(value)) * _MARGIN < _LARGEST for value in (*op.inputs, *op.outputs)
    )
    for name, operand in op.args.items():
        for value in operand if isinstance(operand, tuple) else (operand,):
            if _takes_gradient(value):
                times = _times(op, value)
                steepness = slope(op, name, ranges) * times if finite and times is not None else math.inf
                yield value, _kept(op.output, steepness)


def _takes_gradient(value: Any) -> bool:
    return isinstance(value, TensorVal) and not (isinstance(value.dtype, DType) and value.dtype.kind != "float")


def _times(op: Op, value: TensorVal) -> float | None:
    """How many elements of the result depend on one of an operand."""
    if op.kind in LAYOUT:
        return 1
    result, taken = _size(op.output.shape), _size(value.shape)
    if result is None or not taken:
        return None
    return result / taken if is_pointwise(op) else result


def _size(shape: Any) -> int | None:
    return math.prod(shape) if isinstance(shape, tuple) and all(isinstance(size, int) for size in shape) else None
