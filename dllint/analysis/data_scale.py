"""The scale of a model's data: the numbers they are stored as, and what multiplies or standardises them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import AFFINE, MOVES
from dllint.domains.finite import finite
from dllint.ir.events import Fit
from dllint.ir.program import Op, TensorVal, tensors_in
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait

_BRIGHTEST: Final = 255
#: Steps that leave the scale of the numbers as it is: moves, pooling, dropped or padded positions.
SCALE_KEEPING: Final = (
    MOVES
    | having_any(Trait.CUTS | Trait.INPUT | Trait.DROPS | Trait.PADS | Trait.JOINS | Trait.RESAMPLES)
    | having(Trait.AVERAGES | Trait.POOLS)
) - having(Trait.RANKS) | having(Trait.MAX_POOL)
TRAINING: Final = ("fit", "fit_generator", "train_on_batch")


@dataclass(frozen=True, slots=True)
class Scale:
    """The operation an array comes from, the scaling steps behind it (last first), and the constant they multiply by
    (``None`` if they depend on data)."""

    root: Op
    steps: tuple[Op, ...]
    factor: float | None


def raw_pixels(value: Value) -> Op | None:
    """The operation that loads the pictures, if ``value`` still has their numbers."""
    if not isinstance(value, TensorVal) or value.high is None or value.high < _BRIGHTEST:
        return None
    maker = source(value).producer
    return maker if does(maker, Trait.LOADS) else None


def source(value: TensorVal) -> TensorVal:
    """The value followed back through steps that keep the scale."""
    while (maker := value.producer) is not None and maker.kind in SCALE_KEEPING and maker.inputs:
        value = maker.inputs[0]
    return value


def scale(value: Value) -> Scale | None:
    """What brings an array from its source to the scale it has; ``None`` if anything else happens to it on the way."""
    steps: list[Op] = []
    factor: float | None = 1.0
    while isinstance(value, TensorVal):
        value = source(value)
        maker = value.producer
        if maker is None:
            return None
        if does(maker, Trait.POINTWISE | Trait.SCALES):
            factor = None
        elif (change := constant_factor(maker)) is not None:
            factor = None if factor is None else factor * change
        else:
            return Scale(maker, tuple(steps), factor)
        steps.append(maker)
        value = maker.inputs[0]
    return None


_FACTORS: Final = having_any(Trait.MULTIPLIES | Trait.DIVIDES)


def constant_factor(op: Op) -> float | None:
    """The constant that an operation multiplies its tensor by."""
    if op.kind not in _FACTORS or len(op.inputs) != 1 or op.args.get("x") is not op.inputs[0]:
        return None
    constant = finite(op.args.get("y"))
    if not constant:
        return None
    return constant if does(op, Trait.MULTIPLIES) else 1 / constant


def unscaled_entry(fit: Fit, facts: Facts) -> Op | None:
    """The layer with weights that takes the fitted data as it is: nothing before it rescales or normalises."""
    entries = {t.id for t in _inputs(fit)}
    for op in facts.ancestors(*tensors_in(fit.prediction)):
        x = op.args.get("x")
        if op.kind in AFFINE and isinstance(x, TensorVal) and op.layer is not None:
            first = source(x)
            if first.id in entries or does(first.producer, Trait.LOADS):
                return op
    return None


def model_rescaling(fit: Fit, facts: Facts) -> Op | None:
    """The layer inside the fitted model that rescales its data before the first weights."""
    entries = {t.id for t in _inputs(fit)}
    for op in facts.ancestors(*tensors_in(fit.prediction)):
        x = op.args.get("x")
        if does(op, Trait.POINTWISE | Trait.SCALES) and op.layer is not None and isinstance(x, TensorVal):
            first = source(x)
            if first.id in entries or first.producer is None or scale(first) is not None:
                return op
    return None


def _inputs(fit: Fit) -> tuple[TensorVal, ...]:
    return tuple(tensors_in(fit.model.state.get("inputs")))
