"""Affine layers that follow each other with nothing nonlinear between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import is_nonlinear
from dllint.domains.lattice import Unknown
from dllint.ir.events import Compile
from dllint.ir.program import Op, Program, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait

#: Operations that are affine themselves, or move elements.
_LINEAR_STEPS: Final = having(Trait.KEEPS_ORDER) | having(Trait.AVERAGES | Trait.POOLS) | having_any(Trait.DROPS | Trait.SCALES)


#: The layers whose pairs are looked at.
_LAYERS: Final = having_any(Trait.DENSE | Trait.PLAIN_CONVOLUTION)
#: Sums, products and attention, in which the linearity of an operand has a purpose.
_JOINING: Final = having_any(
    Trait.ADDS | Trait.SUBTRACTS | Trait.MULTIPLIES | Trait.DIVIDES | Trait.CONTRACTS | Trait.ATTENDS | Trait.JOINS
) - having(Trait.AFFINE)


@dataclass(frozen=True, slots=True)
class AffinePair:
    """Two affine layers of one kind; ``sizes`` are the features before (``None`` if not known), between and after them."""

    first: Op
    second: Op
    sizes: tuple[int | None, int, int]


def affine_pairs(program: Program, facts: Facts) -> Iterator[AffinePair]:
    """The pairs that gain nothing from their second layer: the layer between is at least as wide as an end.

    A program without any nonlinearity may be linear on purpose. There, pairs are those of a model that is compiled or trained
    and is no autoencoder, whose layers between have more than one unit; where it has several, narrow layers count, too.
    """
    pairs = [pair for op in facts.ops if (pair := _pair(op, facts)) is not None]
    linear = not any(is_nonlinear(op) for op in facts.ops)
    if linear and (not pairs or not _is_trained(facts) or pairs[0].sizes[0] == pairs[-1].sizes[2]):
        return
    stacked = linear and len({id(pair.first.layer) for pair in pairs}) > 1
    for pair in pairs:
        before, between, after = pair.sizes
        if linear and between == 1:
            continue
        if stacked or between >= after or (before is not None and between >= before):
            yield pair


def _is_trained(facts: Facts) -> bool:
    """Whether a program says how a model is trained: a sketch of layers may be anything."""
    return bool(facts.events(Compile)) or facts.training.trains


def _pair(op: Op, facts: Facts) -> AffinePair | None:
    """The pair that an affine layer begins."""
    if op.layer is None or not op.outputs or op.kind not in _LAYERS or not _is_full(op):
        return None
    follower = _follower(op, facts)
    if follower is None or not follower.outputs or follower.kind != op.kind:
        return None
    if follower.layer is op.layer or not _is_full(follower) or _joins(follower, facts) or _resamples(follower):
        return None
    if _is_used_elsewhere(op, follower, facts):
        return None
    sizes = _sizes(op, follower)
    return AffinePair(op, follower, sizes) if sizes is not None else None


def _is_full(op: Op) -> bool:
    """Whether a convolution mixes space and channels (not pointwise, not grouped)."""
    if does(op, Trait.DENSE):
        return True
    kernel, groups = op.args.get("kernel_size"), op.args.get("groups", 1)
    size = kernel if isinstance(kernel, tuple) else (kernel,)
    return groups == 1 and all(isinstance(k, int) and k > 1 for k in size)


def _resamples(op: Op) -> bool:
    """Whether a convolution stands for a pooling: it keeps the channels, and its windows do not overlap."""
    kernel, stride = op.args.get("kernel_size"), op.args.get("stride")
    return does(op, Trait.CONVOLVES) and kernel == stride and op.args.get("in_channels") == op.args.get("out_channels")


def _follower(op: Op, facts: Facts) -> Op | None:
    """The layer that alone takes the op's result, through steps that stay affine."""
    current = op
    for _ in range(8):
        users = facts.takers(current)
        if len(users) != 1:
            return None
        user = users[0]
        if user.kind in _LAYERS:
            return user if user.args.get("x") is current.output else None
        if user.kind not in _LINEAR_STEPS:
            return None
        current = user
    return None


def _is_used_elsewhere(op: Op, follower: Op, facts: Facts) -> bool:
    """Whether the first layer also makes results that do not go to the second one: they are an output of their own, such as the
    images of a generator, which are shown and compared, beside those that a critic judges."""
    others = (other for other in facts.ops if other.layer is op.layer and other is not op and other.outputs)
    return any((after := _follower(other, facts)) is None or after.layer is not follower.layer for other in others)


def _joins(op: Op, facts: Facts) -> bool:
    """Whether the second layer's result enters a sum, product or attention, where its linearity has a purpose."""
    users = facts.takers(op)
    return (len(users) != 1 and does(op, Trait.CONVOLVES)) or any(user.kind in _JOINING for user in users)


def _sizes(first: Op, second: Op) -> tuple[int | None, int, int] | None:
    axis = -1 if does(first, Trait.DENSE) or first.args.get("channels_last") is True else 1
    between, after = _channel(first.output, axis), _channel(second.output, axis)
    if between is None or after is None:
        return None
    return _channel(first.args.get("x"), axis), between, after


def _channel(value: Value, axis: int) -> int | None:
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown) or len(value.shape) < 2:
        return None
    size = value.shape[axis]
    return size if isinstance(size, int) else None
