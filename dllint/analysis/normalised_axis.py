"""Weights that are made comparable along one axis and summed along another, as attention over queries instead of keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.ir.program import Op, TensorVal
from dllint.ops.carried import kept, summed
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait

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

    The scores are products of projected features, as those of queries and keys, and so are the values that are weighed: weights
    that assign each position to one of several groups sum to 1 over the groups, and are summed over the positions. ``None`` if
    anything else takes the weights, which may make them comparable along the other axis, too.
    """
    scores = _behind(op.args.get("x"), _SCORES, _PRODUCTS)
    if scores is None or not all(is_projected(value) for value in scores.inputs):
        return None
    found = None
    todo = [(op.output, axis)]
    while todo:
        weights, place = todo.pop()
        for taker in facts.users(weights):
            over = summed(taker, weights)
            if taker.kind in _PRODUCTS and over and place not in over and _weighs_features(taker, weights):
                found = found or Elsewhere(taker, weights, place, over[0])
            elif taker.kind in _ONWARD and (next_place := kept(taker, weights, place)) is not None:
                todo.append((taker.output, next_place))
            else:
                return None
    return found


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
