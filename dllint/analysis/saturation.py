"""Whether the scores of an activation come as far as rounding needs to bring the activation to its limit.

In float32 a sigmoid rounds to 1 for scores above 17, and to 0, as a softmax does, for scores (or differences of scores) around
-100. Scores of networks grow that far in training, as they are sums over many features. A weighted sum of a few numbers is not
expected to, and a constant does not grow at all.
"""

from __future__ import annotations

import math
from typing import Any, Final

from dllint.analysis.facts import Facts
from dllint.analysis.gradients import has_own_gradient, is_differentiated
from dllint.analysis.range_use import is_learned
from dllint.domains.lattice import Unknown
from dllint.ir.program import SCRIPT, Op, TensorVal
from dllint.ir.values import InstanceVal
from dllint.ops.ranges.spec import LAYOUT, MOVES, maker_of

#: Sums of at most so many products stay far from where activations round, as long as data and weights are of ordinary size.
FEW_TERMS: Final = 8
#: Steps from scores back to the product that they are, which add a bias or move elements.
_BIASED: Final = LAYOUT | MOVES | {"add", "sub", "cast"}
_DEEPEST: Final = 6


def is_trained_through(op: Op, operand: Any, facts: Facts) -> bool:
    """Whether training passes gradients through an operation: in the program, or in the method of a layer or loss, of which
    others make a program."""
    return is_differentiated(op, operand, facts) or is_inside_model(op, facts)


def is_inside_model(op: Op, facts: Facts) -> bool:
    """Whether an operation stands in a method of a layer or loss, which gets its scores as arguments."""
    return isinstance(op.owner, InstanceVal) and id(op) not in facts.without_gradient and not has_own_gradient(op)


def are_few_terms(scores: Any) -> bool:
    """Whether scores are weighted sums of a few numbers each."""
    value = scores
    for _ in range(_DEEPEST):
        maker = maker_of(value)
        if maker is None:
            return False
        terms = _terms(maker)
        if terms is not None:
            return terms <= FEW_TERMS
        if maker.kind not in _BIASED:
            return False
        value = _summand(maker)
    return False


def _summand(op: Op) -> Any:
    """The operand that is no bias: what was computed, rather than a variable."""
    makers = ((value, value.producer) for value in op.inputs)
    computed = [value for value, maker in makers if maker is not None and maker.inputs and maker.kind != "variable"]
    return computed[0] if computed else next(iter(op.inputs), None)


def _terms(op: Op) -> int | None:
    """How many products an element of a linear layer or of a product of matrices sums up; ``None`` for other operations,
    and a large number if it is not known."""
    if op.kind not in ("linear", "matmul", "mm", "addmm"):
        return None
    sizes = [size for value in op.inputs if (size := _inner_size(op, value)) is not None]
    given = op.args.get("in_features")
    sizes += [given] if isinstance(given, int) else []
    return min(sizes, default=FEW_TERMS + 1)


def _inner_size(op: Op, value: TensorVal) -> int | None:
    """The size of the axis of an operand that a product sums over."""
    if isinstance(value.shape, Unknown) or len(value.shape) < 2:
        return None
    first = value is op.args.get("x")
    if op.kind == "linear" and not first:
        return None
    size = value.shape[-1 if first else -2]
    return size if isinstance(size, int) else None


def is_of_constants(value: Any, facts: Facts) -> bool:
    """Whether a tensor is computed of written numbers alone in a script: it is what it is, and no training moves it."""
    if facts.program.entry != SCRIPT or not isinstance(value, TensorVal) or is_learned(value, facts):
        return False
    sources = [op for op in facts.ancestors(value) if not op.inputs]
    return bool(sources) and all(op.kind in _WRITTEN and _is_limited(op, facts) for op in sources)


_WRITTEN: Final = frozenset({"array", "tensor", "full", "zeros", "ones", "arange", "linspace"})


def _is_limited(op: Op, facts: Facts) -> bool:
    """Whether the numbers that an operation makes are known."""
    found = facts.ranges.of(op.output)
    return math.isfinite(found.low.value) and math.isfinite(found.high.value)
