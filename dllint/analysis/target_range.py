"""The numbers that the targets of a loss are known to reach."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.index_bounds import is_reached
from dllint.analysis.output_kind import MOVES
from dllint.domains.interval import Origin
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import behind

#: Steps that leave a target what it is, or only give it another element type.
_THROUGH: Final = (MOVES | having(Trait.CONVERTS)) - having_any(Trait.RANKS)
#: What computes one number of another, and reaches both ends of its range where that does.
_ARITHMETIC: Final = having_any(Trait.ADDS | Trait.SUBTRACTS | Trait.MULTIPLIES | Trait.DIVIDES)
#: What is loaded, drawn or written down has the numbers that its range says.
_SOURCES: Final = having_any(Trait.LOADS | Trait.DRAWS_EVENLY | Trait.INPUT)
#: So much may be lost of the middle of a range.
_ROUNDED: Final = 1e-6


def limits(op: Op, target: TensorVal, facts: Facts) -> tuple[float, float] | None:
    """The smallest and the largest number of the targets that ``op`` takes, where both are known to be reached.

    That is so of data as they are loaded or drawn, times and plus written numbers. Ranges of what is computed from several
    tensors are too wide, as a rule: the largest of one need not meet the smallest of the other.
    """
    made = _source_of(target)
    if made is behind(target, _THROUGH) and made.sample is not None and made.low is None and not target.modified:
        return limits(op, made.sample, facts)
    if target.modified or made.modified or not _is_source(made.producer):
        return None
    if made.low is not None and made.high is not None and made is target:
        return made.low, made.high
    found = facts.ranges.at(op, target)
    is_derived = found.origin is Origin.DERIVED and is_reached(found.low) and is_reached(found.high)
    return (found.low.value, found.high.value) if is_derived else None


def is_label_noise(target: TensorVal, found: tuple[float, float]) -> bool:
    """Whether targets with these limits are labels with noise: drawn evenly around a number from 0 to 1, and so near to it that
    0 and 1 stay apart. A binary cross-entropy is linear in its targets: its mean, and that of its gradient, is that of the
    number without the noise."""
    made, (low, high) = _source_of(target), found
    if made.sample is not None and made.producer is None:
        made = _source_of(made.sample)
    return does(made.producer, Trait.DRAWS_EVENLY) and high - low < 1 and -_ROUNDED < (low + high) / 2 < 1 + _ROUNDED


def _source_of(target: TensorVal) -> TensorVal:
    """What targets are computed of, by steps with written numbers."""
    made = behind(target, _THROUGH)
    while does(made.producer, Trait.POINTWISE) and made.producer.kind in _ARITHMETIC and len(made.producer.inputs) == 1:
        made = behind(made.producer.inputs[0], _THROUGH)
    return made


def _is_source(op: Op | None) -> bool:
    """Whether what an operation makes, or nothing, reaches both ends of its range: one of two written numbers does."""
    return op is None or op.kind in _SOURCES or (does(op, Trait.CHOOSES) and len(op.inputs) == 1)
