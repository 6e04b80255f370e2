"""Affine layers that follow each other with nothing nonlinear between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import is_nonlinear
from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, Program, TensorVal

#: Operations that are affine themselves, or move elements.
_LINEAR_STEPS: Final = frozenset(
    {"dropout", "batch_norm", "flatten", "avg_pool", "adaptive_avg_pool", "contiguous", "identity"}
)


@dataclass(frozen=True, slots=True)
class AffinePair:
    """Two affine layers of one kind; ``sizes`` are the features before, between and after them."""

    first: Op
    second: Op
    sizes: tuple[int, int, int]


def affine_pairs(program: Program, facts: Facts) -> Iterator[AffinePair]:
    """The pairs in which the layer between is at least as wide as an end, in a program that has a nonlinearity."""
    if not any(is_nonlinear(op) for op in program.ops):
        return
    for op in program.ops:
        if op.layer is None or not op.outputs:
            continue
        if op.kind not in ("linear", "conv") or not _is_full(op):
            continue
        follower = _follower(op, facts)
        if follower is None or not follower.outputs or follower.kind != op.kind:
            continue
        if follower.layer is op.layer or not _is_full(follower):
            continue
        sizes = _sizes(op, follower)
        if sizes is not None and sizes[1] >= min(sizes[0], sizes[2]) and not _joins(follower, facts):
            yield AffinePair(op, follower, sizes)


def _is_full(op: Op) -> bool:
    """Whether a convolution mixes space and channels (not pointwise, not grouped)."""
    if op.kind == "linear":
        return True
    kernel, groups = op.args.get("kernel_size"), op.args.get("groups", 1)
    size = kernel if isinstance(kernel, tuple) else (kernel,)
    return groups == 1 and all(isinstance(k, int) and k > 1 for k in size)


def _follower(op: Op, facts: Facts) -> Op | None:
    """The layer that alone takes the op's result, through steps that stay affine."""
    current = op
    for _ in range(8):
        users = facts.takers(current)
        if len(users) != 1:
            return None
        user = users[0]
        if user.kind in ("linear", "conv"):
            return user if user.args.get("x") is current.output else None
        if user.kind not in _LINEAR_STEPS:
            return None
        current = user
    return None


def _joins(op: Op, facts: Facts) -> bool:
    """Whether the second layer's result enters a sum, product or attention, where its linearity has a purpose."""
    users = facts.takers(op)
    return (len(users) != 1 and op.kind == "conv") or any(
        user.kind in ("add", "mul", "matmul", "bmm", "einsum", "scaled_dot_product_attention", "cat", "sub", "div")
        for user in users
    )


def _sizes(first: Op, second: Op) -> tuple[int, int, int] | None:
    axis = -1 if first.kind == "linear" or first.args.get("channels_last") is True else 1
    values = (_channel(first.args.get("x"), axis), _channel(first.output, axis), _channel(second.output, axis))
    if any(v is None for v in values):
        return None
    before, between, after = values
    assert before is not None
    assert between is not None
    assert after is not None
    return before, between, after


def _channel(value: object, axis: int) -> int | None:
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown) or len(value.shape) < 2:
        return None
    size = value.shape[axis]
    return size if isinstance(size, int) else None
