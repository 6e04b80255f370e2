"""Weights that are made comparable along one axis and summed along another, as attention over queries instead of keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.domains.shape import normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ops.carried import kept, summed
from dllint.ops.kinds import does, having, having_any
from dllint.ops.spec import known_shape
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind

#: Steps from scores or weights to what takes them, each axis staying an axis.
_ONWARD: Final = (having(Trait.KEEPS_VALUES) | having_any(Trait.DROPS)) - having_any(Trait.RANKS)
#: Steps from projected features to what takes them: they are laid out anew, cut, joined, scaled, standardised and turned.
_FEATURES: Final = (
    having(Trait.KEEPS_VALUES)
    | having_any(Trait.CUTS | Trait.INDEXES | Trait.JOINS | Trait.POINTWISE | Trait.DROPS | Trait.STANDARDISES | Trait.REPEATS)
) - having_any(Trait.RANKS | Trait.COMPARES)
#: Steps from a product of features to the scores that are made comparable: scaled, masked, shifted.
_SCORES: Final = having_any(Trait.POINTWISE | Trait.KEEPS_VALUES | Trait.REPLACES | Trait.CHOOSES) - having_any(
    Trait.NORMALISES
)
#: Steps from probabilities to a loss, element by element: a logarithm, a small number that is added, limits.
_TO_LOSS: Final = having(Trait.MONOTONE | Trait.POINTWISE) | having_any(Trait.ADDS | Trait.CLAMPS)
#: Products of two tensors, neither of which is a layer's weight.
_PRODUCTS: Final = having(Trait.CONTRACTS) - having_any(Trait.LEARNED | Trait.AFFINE | Trait.ATTENDS)
#: So many operations are looked at on the way back.
_MOST: Final = 48


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A product that sums weights over ``summed``, an axis of ``weights``; they sum to 1 along ``normalised`` of it."""

    product: Op
    weights: TensorVal
    normalised: int
    summed: int


def summed_elsewhere(op: Op, axis: int, facts: Facts) -> Elsewhere | None:
    """The product that sums the result of a softmax along another axis than ``axis``, over which it was taken.

    The scores are one number per position, or products of projected features, as those of queries and keys, and then so are the
    values that are weighed: weights that assign each position to one of several groups sum to 1 over the groups, and are summed
    over the positions. ``None`` if anything else takes the weights, which may make them comparable along the other axis, too.
    """
    is_single = _is_of_one_unit(op.args.get("x"))
    scores = _behind(op.args.get("x"), _SCORES, _PRODUCTS)
    if not is_single and (scores is None or not all(is_projected(value) for value in scores.inputs)):
        return None
    found = None
    todo = [(op.output, axis)]
    while todo:
        weights, place = todo.pop()
        for taker in facts.users(weights):
            over = [axis for axis in summed(taker, weights) if not isinstance(weights.shape, tuple) or weights.shape[axis] != 1]
            if taker.kind in _PRODUCTS and over and place not in over and (is_single or _weighs_features(taker, weights)):
                found = found or Elsewhere(taker, weights, place, over[0])
            elif does(taker, Trait.MULTIPLIES) and (multiplied := _multiplied(taker, weights, place, facts)) is not None:
                found = found or multiplied
            elif taker.kind in _ONWARD and (next_place := kept(taker, weights, place)) is not None:
                todo.append((taker.output, next_place))
            else:
                return None
    return found


def _is_of_one_unit(scores: object) -> bool:
    """Whether scores are those of a layer with one unit, so that there is one for each position."""
    maker = maker_behind(scores, _ONWARD) if isinstance(scores, TensorVal) else None
    shape = known_shape(maker.output.type) if does(maker, Trait.DENSE) else None
    return shape is not None and len(shape) > 1 and shape[-1] == 1


def _multiplied(op: Op, weights: TensorVal, place: int, facts: Facts) -> Elsewhere | None:
    """Weights times values, which are summed along another axis of the weights than the one along which they sum to 1."""
    users, given, result = facts.users(op.output), known_shape(weights.type), known_shape(op.output.type)
    if given is None or result is None or len(op.inputs) != 2 or not users:
        return None
    more = len(result) - len(given)
    axes = {axis - more for taker in users for axis in summed(taker, op.output) or (more + place,)}
    if place in axes or any(axis < 0 or given[axis] == 1 for axis in axes):
        return None
    return Elsewhere(users[0], weights, place, min(axes))


def read_elsewhere(op: Op, axis: int, facts: Facts) -> Elsewhere | None:
    """The loss, or the choice of the largest, that takes the units of a layer for classes, which a softmax along ``axis`` does
    not make comparable: it goes along another axis of the layer's scores."""
    scores = op.args.get("x")
    maker = maker_behind(scores, having(Trait.KEEPS_PLACES))
    shape = known_shape(maker.output.type) if does(maker, Trait.DENSE) else None
    if shape is None or axis == len(shape) - 1 or shape[-1] == 1:
        return None
    todo = [(op.output, len(shape) - 1)]
    while todo:
        given, classes = todo.pop()
        for taker in facts.users(given):
            if taker.args.get("x") is given and _class_axis(taker, given) == classes:
                return Elsewhere(taker, op.output, axis, len(shape) - 1)
            if taker.kind in _ONWARD and (place := kept(taker, given, classes)) is not None:
                todo.append((taker.output, place))
    return None


def lost_elsewhere(op: Op, axis: int, facts: Facts) -> Elsewhere | None:
    """The loss between scores and class numbers whose classes are on another axis than the one along which a softmax was taken.
    Whatever the scores are, those of one sample are not made comparable."""
    todo, seen = [(op.output, axis)], set[int]()
    while todo and len(seen) < _MOST:
        given, place = todo.pop()
        seen.add(given.id)
        for taker in facts.users(given):
            if does(taker, Trait.TAKES_CLASS_NUMBERS) and taker.args.get("x") is given:
                classes = _class_axis(taker, given)
                if classes is not None and classes != place:
                    return Elsewhere(taker, given, place, classes)
            elif taker.output.id in seen:
                continue
            elif taker.kind in _TO_LOSS and len(taker.inputs) == 1:
                todo.append((taker.output, place))
            elif taker.kind in _ONWARD and (next_place := kept(taker, given, place)) is not None:
                todo.append((taker.output, next_place))
    return None


def _class_axis(op: Op, scores: TensorVal) -> int | None:
    """The axis of scores along which an operation finds the classes."""
    shape, dim = known_shape(scores.type), op.args.get("dim")
    if shape is None:
        return None
    if does(op, Trait.TAKES_CLASS_NUMBERS):
        return min(1, len(shape) - 1)
    is_choice = does(op, Trait.PICKS_LARGE | Trait.POSITIONS) and isinstance(dim, int) and not isinstance(dim, bool)
    return normalize_axis(dim, len(shape)) if is_choice and isinstance(dim, int) else None


def _weighs_features(product: Op, weights: TensorVal) -> bool:
    others = [value for value in product.inputs if value is not weights]
    return len(others) == 1 and is_projected(others[0])


def is_projected(value: TensorVal) -> bool:
    """Whether a tensor holds features that a layer has computed, laid out anew, scaled or standardised."""
    return _behind(value, _FEATURES, having(Trait.AFFINE)) is not None


def _behind(value: object, through: frozenset[str], wanted: frozenset[str]) -> Op | None:
    """The nearest operation of the wanted ones behind a tensor, on any way through others."""
    todo = [value.producer] if isinstance(value, TensorVal) else []
    seen: set[int] = set()
    while todo and len(seen) < _MOST:
        op = todo.pop(0)
        if op is None or id(op) in seen:
            continue
        seen.add(id(op))
        if op.kind in wanted:
            return op
        if op.kind in through:
            todo.extend(operand.producer for operand in op.inputs)
    return None
