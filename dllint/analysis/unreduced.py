"""Losses that give a number for each sample, also where the number of samples is not known."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.one_pass import in_one_pass
from dllint.domains.finite import finite
from dllint.domains.lattice import Unknown
from dllint.ir.events import Backward
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import unwrap
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait

#: Losses whose operands have an axis for the samples, but for a single sample that has none.
_OF_SAMPLES: Final = having_any(Trait.CLASS_LOSS | Trait.BINARY_LOSS)
_EACH: Final = "none"


def unreduced_loss(backward: Backward, facts: Facts) -> Op | None:
    """The loss of a number for each sample that is differentiated, as it is or after what keeps its shape."""
    value = backward.target
    while isinstance(value, TensorVal) and value.producer is not None and not value.modified:
        op = value.producer
        if value.varies and not in_one_pass(facts.program.trace, op, backward):
            return None
        if does(op, Trait.LOSS):
            return op if op.args.get("reduction") == _EACH and _has_samples(op) else None
        if len(op.inputs) != 1 or not (does(op, Trait.KEEPS_SHAPE) or _is_scaled(op)):
            return None
        value = op.inputs[0]
    return None


def _is_scaled(op: Op) -> bool:
    """Whether an operation multiplies by a number, or divides."""
    numbers = (finite(unwrap(op.args.get(name))) for name in ("x", "y"))
    return (does(op, Trait.MULTIPLIES) or does(op, Trait.DIVIDES)) and any(number is not None for number in numbers)


def _has_samples(loss: Op) -> bool:
    """Whether a loss compares several samples, as far as is known: by its kind, or since an operand has an axis."""
    shapes = [value.shape for value in loss.inputs]
    known = [shape for shape in shapes if not isinstance(shape, Unknown)]
    if any(all(size == 1 for size in shape) for shape in known):
        return False
    return loss.kind in _OF_SAMPLES or (does(loss, Trait.PAIRWISE_LOSS) and bool(known))
