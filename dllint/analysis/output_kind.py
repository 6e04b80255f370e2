"""What the numbers of a tensor are: raw scores, probabilities, log-probabilities …, read off the operation that made it.

The kind survives operations that only move elements (view, squeeze, slice, transpose) and, for scores, nothing else:
an addition or a scaling makes probabilities something unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind


class OutputKind(Enum):
    """The lattice: these kinds side by side, ``UNKNOWN`` on top."""

    LOGITS = "raw scores"
    LOG_PROBABILITY = "log-probabilities"
    SOFTMAX = "softmax probabilities"
    SIGMOID = "sigmoid probabilities"
    TANH = "values in [-1, 1]"
    NON_NEGATIVE = "non-negative values"
    CLAMPED = "values clamped to a range"
    UNKNOWN = "unknown"


#: Operations that move elements and leave each one what it is.
MOVES: Final = having(Trait.KEEPS_VALUES) | having_any(Trait.INDEXES | Trait.REPEATS)
#: Operations with weights that mix all features of a sample.
AFFINE: Final = having(Trait.AFFINE)
#: Element-wise operations that are not affine, by what they bound.
NONLINEAR: Final = having(Trait.ACTIVATION)
_MADE_BY: Final = by_name(
    {
        Trait.AFFINE: OutputKind.LOGITS,
        Trait.SHARES: OutputKind.SOFTMAX,
        Trait.LOG_PROBABILITIES: OutputKind.LOG_PROBABILITY,
        Trait.PROBABILITIES | Trait.POINTWISE: OutputKind.SIGMOID,
        Trait.TANH: OutputKind.TANH,
        Trait.CLAMPS: OutputKind.CLAMPED,
        Trait.ONE_SIDED: OutputKind.NON_NEGATIVE,
    }
)


@dataclass(frozen=True, slots=True)
class Source:
    """The kind of a tensor and the operation that decided it (``None`` if the tensor is an input)."""

    kind: OutputKind
    op: Op | None


def source(value: TensorVal) -> Source:
    """The kind of a tensor, followed back through operations that only move elements."""
    maker = maker_behind(value, MOVES)
    return Source(OutputKind.UNKNOWN, None) if maker is None else Source(_kind_made_by(maker), maker)


def _kind_made_by(op: Op) -> OutputKind:
    return _MADE_BY[op.kind] if op.kind in _MADE_BY else _affine_by_hand(op)


def affine_source(value: TensorVal) -> Op | None:
    """The affine layer that decides how wide a tensor is, behind activations and moves."""
    maker = maker_behind(value, MOVES | NONLINEAR)
    return maker if does(maker, Trait.AFFINE) else None


def _affine_by_hand(op: Op) -> OutputKind:
    """``x @ w + b`` with weights that are created in the program is an affine layer, too."""
    if does(op, Trait.ADDS) and any(_is_matmul(v.producer) for v in op.inputs) and any(is_parameter(v) for v in op.inputs):
        return OutputKind.LOGITS
    return OutputKind.LOGITS if _is_matmul(op) else OutputKind.UNKNOWN


def _is_matmul(op: Op | None) -> bool:
    return does(op, Trait.MATRIX_PRODUCT) and any(is_parameter(v) and not _is_fixed(v) for v in op.inputs)


def _is_fixed(value: TensorVal) -> bool:
    """Whether a variable is declared as one that no optimizer trains, such as one that holds data."""
    maker = value.producer
    return maker is not None and does(maker, Trait.VARIABLE) and maker.args.get("trainable") is False


def is_parameter(value: TensorVal) -> bool:
    """Whether a tensor was made without any input, as weights are: by a creation operation or by no operation."""
    maker = value.producer
    return maker is None or does(maker, Trait.VARIABLE) or (not maker.inputs and maker.kind in CREATIONS)


CREATIONS: Final = having_any(Trait.FILLS | Trait.EMPTY | Trait.TAKES_DATA | Trait.DRAWS | Trait.VARIABLE)


def last_axis_size(value: TensorVal) -> int | None:
    """The size of the last axis if it is a known number."""
    if isinstance(value.shape, Unknown) or not value.shape:
        return None
    size = value.shape[-1]
    return size if isinstance(size, int) else None


_BENDING: Final = having_any(Trait.ACTIVATION | Trait.MAX_POOL | Trait.LARGER)


def is_nonlinear(op: Op) -> bool:
    """Whether an operation bends: activations and max-pooling."""
    return op.kind in _BENDING
