"""Padded sequences whose padding counts like data: in the loss of each step, or in the last state of a recurrent layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from dllint.analysis.facts import Facts
from dllint.ir.events import Fit, LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_TORCH: Final = "torch.nn.utils.rnn.pad_sequence"
_KERAS: Final = "keras.utils.pad_sequences"
#: What cross entropy leaves out unless it is told otherwise (PyTorch documentation).
_LEFT_OUT: Final = -100
#: So many operations are looked through.
_MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Padded:
    """``op`` takes the padding of the call ``padding``, of the number ``filled``, for data."""

    kind: Literal["targets", "state"]
    op: Op
    padding: LibraryCall
    filled: float


def unmasked(facts: Facts) -> Iterator[Padded]:
    """The losses over padded class numbers that leave no number of them out, and the recurrent layers that end in padding."""
    calls = [call for call in facts.events(LibraryCall) if call.name in (_TORCH, _KERAS)]
    made = {call.result.id: call for call in calls if isinstance(call.result, TensorVal)}
    if not made:
        return
    for op in facts.program.ops:
        if does(op, Trait.TAKES_CLASS_NUMBERS) and op.framework == "torch":
            yield from _targets(op, made)
    for fit in facts.events(Fit):
        given = unwrap(fit.x)
        padding = made.get(given.id) if isinstance(given, TensorVal) else None
        if padding is not None and unwrap(padding.bound.get("padding")) == "post":
            yield from _states(fit, padding, facts)


def _targets(loss: Op, made: dict[int, LibraryCall]) -> Iterator[Padded]:
    left_out = unwrap(loss.args.get("ignore_index", _LEFT_OUT))
    padding = made.get(_moved_from(loss.args.get("target"), made))
    if padding is None or padding.name != _TORCH or loss.args.get("reduction") == "none" or loss.args.get("weight") is not None:
        return
    filled = unwrap(padding.bound.get("padding_value", 0))
    if isinstance(filled, (int, float)) and isinstance(left_out, int) and filled != left_out and filled >= 0:
        yield Padded("targets", loss, padding, filled)


def _moved_from(value: Value, made: dict[int, LibraryCall]) -> int:
    """The tensor of a padded batch that a tensor has the elements of, apart from some at the ends."""
    for _ in range(_MOST):
        if not isinstance(value, TensorVal) or value.varies or value.modified:
            return 0
        if value.id in made:
            return value.id
        maker = value.producer
        if maker is None or not (does(maker, Trait.KEEPS_VALUES) or does(maker, Trait.CONVERTS) or _is_slice(maker)):
            return 0
        value = maker.args.get("x")
    return 0


def _is_slice(op: Op) -> bool:
    """Whether a subscript has no mask in it: those leave the padding out."""
    index = op.args.get("index")
    parts = index if isinstance(index, tuple) else (index,)
    return does(op, Trait.SUBSCRIPTS) and not any(isinstance(part, TensorVal) for part in parts)


def _states(fit: Fit, padding: LibraryCall, facts: Facts) -> Iterator[Padded]:
    """The layers of a model that embed padded words, without a mask, for a recurrent layer that gives its last state."""
    for op in facts.program.ops:
        taken = op.args.get("x") if does(op, Trait.RECURRENT) and op.framework == "keras" else None
        maker = taken.producer if isinstance(taken, TensorVal) else None
        if maker is None or not does(maker, Trait.EMBEDS) or maker.layer is None or maker.layer.layer is None:
            continue
        mask = unwrap(maker.layer.layer.args.get("mask_zero", False))
        layer = op.layer.layer if op.layer is not None else None
        whole = unwrap(layer.args.get("return_sequences", False)) if layer is not None else None
        if mask is False and whole is False and unwrap(padding.bound.get("value", 0)) == 0:
            yield Padded("state", op, padding, 0)
            return
