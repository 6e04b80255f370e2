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
MOVES: Final = frozenset({
    "view", "reshape", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze", "transpose", "permute", "movedim",
    "swapaxes", "t", "contiguous", "getitem", "clone", "identity", "cast", "detach", "index_select", "expand", "flip",
    "rearrange", "time_steps", "time_join",
})  # fmt: skip
#: Operations with weights that mix all features of a sample.
AFFINE: Final = frozenset({
    "linear", "conv", "conv_transpose", "bilinear", "separable_conv", "depthwise_conv", "addmm",
})  # fmt: skip
#: Element-wise operations that are not affine, by what they bound.
NONLINEAR: Final = frozenset({
    "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "softsign", "softshrink",
    "hardshrink", "tanhshrink", "hardtanh", "hardsigmoid", "hardswish", "threshold", "prelu", "glu", "sigmoid", "logsigmoid",
    "tanh", "softmax", "log_softmax", "exp", "sin", "cos", "abs", "square", "gumbel_softmax",
})  # fmt: skip
_MADE_BY: Final = {
    **dict.fromkeys(AFFINE, OutputKind.LOGITS),
    "softmax": OutputKind.SOFTMAX,
    "log_softmax": OutputKind.LOG_PROBABILITY,
    "logsigmoid": OutputKind.LOG_PROBABILITY,
    "sigmoid": OutputKind.SIGMOID,
    "hardsigmoid": OutputKind.SIGMOID,
    "tanh": OutputKind.TANH,
    "hardtanh": OutputKind.CLAMPED,
    "clamp": OutputKind.CLAMPED,
    "relu": OutputKind.NON_NEGATIVE,
    "relu6": OutputKind.NON_NEGATIVE,
    "softplus": OutputKind.NON_NEGATIVE,
}


@dataclass(frozen=True, slots=True)
class Source:
    """The kind of a tensor and the operation that decided it (``None`` if the tensor is an input)."""

    kind: OutputKind
    op: Op | None


def source(value: TensorVal) -> Source:
    """The kind of a tensor, followed back through operations that only move elements."""
    while (maker := value.producer) is not None:
        if maker.kind in MOVES and maker.inputs:
            value = maker.inputs[0]
            continue
        return Source(_MADE_BY.get(maker.kind, _affine_by_hand(maker)), maker)
    return Source(OutputKind.UNKNOWN, None)


def affine_source(value: TensorVal) -> Op | None:
    """The affine layer that decides how wide a tensor is, behind activations and moves."""
    while (maker := value.producer) is not None:
        if maker.kind in AFFINE:
            return maker
        if maker.kind not in MOVES | NONLINEAR or not maker.inputs:
            return None
        value = maker.inputs[0]
    return None


def _affine_by_hand(op: Op) -> OutputKind:
    """``x @ w + b`` with weights that are created in the program is an affine layer, too."""
    if op.kind == "add" and any(_is_matmul(v.producer) for v in op.inputs) and any(is_parameter(v) for v in op.inputs):
        return OutputKind.LOGITS
    return OutputKind.LOGITS if _is_matmul(op) else OutputKind.UNKNOWN


def _is_matmul(op: Op | None) -> bool:
    return op is not None and op.kind in ("matmul", "mm") and any(is_parameter(v) for v in op.inputs)


def is_parameter(value: TensorVal) -> bool:
    """Whether a tensor was made without any input, as weights are: by a creation operation or by no operation."""
    maker = value.producer
    return maker is None or maker.kind == "variable" or (not maker.inputs and maker.kind in CREATIONS)


CREATIONS: Final = frozenset({"randn", "rand", "zeros", "ones", "normal", "full", "empty", "tensor", "variable"})


def last_axis_size(value: TensorVal) -> int | None:
    """The size of the last axis if it is a known number."""
    if isinstance(value.shape, Unknown) or not value.shape:
        return None
    size = value.shape[-1]
    return size if isinstance(size, int) else None


def is_nonlinear(op: Op) -> bool:
    """Whether an operation bends: activations and max-pooling."""
    return op.kind in NONLINEAR or op.kind in ("max_pool", "adaptive_max_pool", "global_max_pool", "maximum")
