"""Whether the scores of an activation come as far as rounding needs to bring the activation to its limit.

In float32 a sigmoid rounds to 1 for scores above 17, and to 0, as a softmax does, for scores (or differences of scores) around
-100. Scores of networks grow that far in training, as they are sums over many features. A weighted sum of a few numbers of
known size is not expected to, and a constant does not grow at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from dllint.analysis.facts import Facts
from dllint.analysis.gradients import is_differentiated
from dllint.analysis.ranges.uses import is_learned, is_weight
from dllint.domains.finite import as_float
from dllint.domains.lattice import Unknown
from dllint.ir.program import SCRIPT, Op, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.kinds import does, having_any
from dllint.ops.ranges.spec import LAYOUT, MOVES, laid_out, maker_of
from dllint.ops.traits import Trait

#: The scores at which a sigmoid rounds to 1, and at which it and a softmax round to 0.
ROUNDS_TO_ONE: Final = 17.0
ROUNDS_TO_ZERO: Final = 100.0
#: The size that the weights of a small model grow to in training, as long as nothing goes wrong.
_WEIGHT: Final = 2.0
#: Steps from scores back to the product that they are, which add a bias or move elements.
_BIASED: Final = LAYOUT | MOVES | having_any(Trait.ADDS | Trait.SUBTRACTS)
_DEEPEST: Final = 6


def is_trained_through(op: Op, operand: Value, facts: Facts) -> bool:
    """Whether training passes gradients through an operation: in the program, or in the method of a layer or loss, of which
    others make a program."""
    return is_differentiated(op, operand, facts) or is_inside_model(op, facts)


def is_inside_model(op: Op, facts: Facts) -> bool:
    """Whether an operation stands in a method of a layer or loss, which gets its scores as arguments."""
    return isinstance(op.owner, InstanceVal) and id(op) not in facts.without_gradient and id(op) not in facts.own_gradient


def stay_below(scores: Value, limit: float, facts: Facts) -> bool:
    """Whether scores are weighted sums of numbers that are too few and too small to bring them to a limit."""
    product = _product(scores)
    if product is None:
        return False
    terms, data = _terms(product), _data(product)
    largest = _largest(product, data, facts) if data is not None else None
    return terms is not None and largest is not None and terms * largest * _WEIGHT < limit


def _product(scores: Value) -> Op | None:
    """The linear layer or product of matrices that scores come from."""
    value = scores
    for _ in range(_DEEPEST):
        maker = maker_of(value)
        if maker is None or maker.kind in _PRODUCTS:
            return maker
        if maker.kind not in _BIASED:
            return None
        value = _summand(maker)
    return None


_PRODUCTS: Final = having_any(Trait.DENSE | Trait.MATRIX_PRODUCT)


def _summand(op: Op) -> Any:
    """The operand that is no bias: what was computed, rather than a variable."""
    makers = ((value, value.producer) for value in op.inputs)
    computed = [value for value, maker in makers if maker is not None and maker.inputs and not does(maker, Trait.VARIABLE)]
    return computed[0] if computed else next(iter(op.inputs), None)


def _data(op: Op) -> TensorVal | None:
    """The operand of a product that is no weight."""
    operands = [value for value in op.inputs if not is_weight(value)]
    return operands[0] if len(operands) == 1 else None


def _terms(op: Op) -> int | None:
    """The number of products that an element of a linear layer or of a product of matrices sums up, if it is known."""
    given = op.args.get("in_features")
    sizes = [given] if isinstance(given, int) else []
    sizes += [size for value in op.inputs if (size := _inner_size(op, value)) is not None]
    return sizes[0] if sizes else None


def _inner_size(op: Op, value: TensorVal) -> int | None:
    """The size of the axis of an operand that a product sums over."""
    first = value is op.args.get("x")
    if isinstance(value.shape, Unknown) or len(value.shape) < 2 or (does(op, Trait.DENSE) and not first):
        return None
    size = value.shape[-1 if first else -2]
    return size if isinstance(size, int) else None


def _largest(op: Op, data: TensorVal, facts: Facts) -> float | None:
    """The largest magnitude among the numbers that a product takes: what their range says, or what a placeholder is fed."""
    fed = list(_fed(data, facts))
    if fed:
        sizes = [_size_of(table) for table in fed]
        return max(size for size in sizes if size is not None) if None not in sizes else None
    found = facts.ranges.at(op, data)
    largest = max(abs(found.low.value), abs(found.high.value))
    return largest if found.known and math.isfinite(largest) else None


def _fed(data: TensorVal, facts: Facts) -> Iterator[Any]:
    """The value that is fed to a placeholder."""
    source = laid_out(data)
    return (op.args.get("x") for op in facts.ops if does(op, Trait.CROSSES_GRAPH) and op.args.get("placeholder") is source)


def _size_of(table: Value) -> float | None:
    """The largest magnitude in a table of written numbers; ``None`` for anything else."""
    if isinstance(table, tuple):
        sizes = [_size_of(part) for part in table]
        return max((size for size in sizes if size is not None), default=None) if None not in sizes else None
    return abs(as_float(table)) if isinstance(table, (int, float)) else None


def is_of_constants(value: Value, facts: Facts) -> bool:
    """Whether a tensor is computed of written numbers alone in a script: it is what it is, and no training moves it."""
    if facts.program.entry != SCRIPT or not isinstance(value, TensorVal) or is_learned(value, facts):
        return False
    sources = [op for op in facts.ancestors(value) if not op.inputs]
    return bool(sources) and all(op.kind in _WRITTEN and _is_limited(op, facts) for op in sources)


_WRITTEN: Final = having_any(Trait.FILLS | Trait.TAKES_DATA)


def _is_limited(op: Op, facts: Facts) -> bool:
    """Whether the numbers that an operation makes are known."""
    found = facts.ranges.of(op.output)
    return math.isfinite(found.low.value) and math.isfinite(found.high.value)
