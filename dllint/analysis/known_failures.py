"""Patterns that are known to fail in training, each with the place where that was reported.

A network reaches the danger of such a pattern in the course of training, although few numbers do: its scores grow until a
sigmoid rounds to 0, two embeddings of a batch coincide. What is merely not excluded (the norm of an embedding, the exponential
of a predicted logarithmic variance) is none of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from dllint.analysis.drawn_index import is_of_chosen
from dllint.analysis.facts import Facts
from dllint.analysis.gradients import is_differentiated
from dllint.analysis.ranges.uses import is_weight
from dllint.analysis.saturation import is_trained_through
from dllint.domains.dtype import FLOAT16
from dllint.domains.interval import Interval, Origin
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.ranges.order import same, same_aligned
from dllint.ops.ranges.spec import LAYOUT, MEANS, MOVES, laid_out, maker_of
from dllint.ops.traits import Trait


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """``words`` say what the operand is, and complete "the argument of `log` is …"; ``source`` where it was seen to fail."""

    name: str
    words: str
    source: str
    matches: Callable[[Op, Any, Interval, Facts], bool]


def known_failure(op: Op, operand: Value, found: Interval, facts: Facts) -> KnownFailure | None:
    """The pattern that an operation on a dangerous operand, whose range is ``found``, is an instance of."""
    return next((failure for failure in _BY_KIND.get(op.kind, ()) if failure.matches(op, operand, found, facts)), None)


# --- saturation -----------------------------------------------------------------------------------------------------------

_SATURATING: Final = having(Trait.SATURATES)
#: Steps through which an element that has come to the limit stays one, or makes a 0.
_CARRYING: Final = (
    LAYOUT
    | MOVES
    | having_any(
        Trait.ADDS
        | Trait.SUBTRACTS
        | Trait.MULTIPLIES
        | Trait.NEGATES
        | Trait.SQUARES
        | Trait.RAISES
        | Trait.LIMITS
        | Trait.RECTIFIES
        | Trait.DROPS
    )
    | having(Trait.SUMS | Trait.REDUCES)
)
#: Those of them that give the largest of many elements, which are not all at the limit.
_LARGEST: Final = having(Trait.PICKS_LARGE) | having(Trait.RANKS | Trait.REDUCES) - having(Trait.SMALLEST)
_DEEPEST: Final = 12


def _is_saturated(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether an operand comes from an activation whose scores nothing limits, to whose limit rounding brings it."""
    ends = {end.origin for end in (found.low, found.high) if end.value in (-1, 0, 1)}
    if Origin.DERIVED not in ends or not is_trained_through(op, operand, facts):
        return False
    if is_of_chosen(operand, facts):
        return False
    steps = _steps_behind(operand, _CARRYING - _LARGEST)
    is_turned = op.kind not in _AT_ZERO or any(step.kind in _TURNING for step in steps)
    found_at = (step for step in steps if step.kind in _SATURATING and (is_turned or _reaches_zero(step)))
    return any(_is_unlimited(step, facts) for step in found_at)


#: Operations of which only the 0 itself is dangerous, rather than what is near it or at another end.
_AT_ZERO: Final = having(Trait.LOGARITHM) - having(Trait.SHIFTED) | having_any(Trait.DIVIDES | Trait.INVERTS)
#: Steps that make a 0 of a 1.
_TURNING: Final = having_any(Trait.SUBTRACTS | Trait.NEGATES)


def _reaches_zero(activation: Op) -> bool:
    """Whether training brings an activation to 0. A sigmoid of itself gets there in half precision only: in float32 it takes
    one score below -88, not a difference of two as in a softmax, and those above 17 make it 1."""
    return not does(activation, Trait.LOGISTIC) or activation.output.dtype is FLOAT16


def _is_unlimited(activation: Op, facts: Facts) -> bool:
    """Whether nothing limits the scores of an activation. A parameter of a module moves by a small step at a time, and what is
    computed of its activation pulls it back (the rate of a concrete dropout)."""
    if isinstance(activation.owner, InstanceVal) and is_weight(activation.args.get("x")):
        return False
    scores = facts.ranges.at(activation, activation.args.get("x"))
    return scores.low.value == -float("inf") or scores.high.value == float("inf")


def _steps_behind(value: Value, through: frozenset[str]) -> list[Op]:
    """The operations behind a tensor, through those of some kinds and one further."""
    out: list[Op] = []
    todo, seen = [value], set[int]()
    while todo and len(out) < _DEEPEST:
        maker = maker_of(todo.pop(0))
        if maker is None or id(maker) in seen:
            continue
        seen.add(id(maker))
        out.append(maker)
        if maker.kind in through:
            todo.extend(maker.inputs)
    return out


_AVERAGES: Final = having(Trait.AVERAGES | Trait.REDUCES)
_TOTALS: Final = having(Trait.SUMS | Trait.REDUCES) | _AVERAGES


# --- roots ----------------------------------------------------------------------------------------------------------------


def _squared(value: Value) -> TensorVal | None:
    """The tensor whose square a tensor is."""
    maker = maker_of(laid_out(value))
    if maker is None:
        return None
    x, y = maker.args.get("x"), maker.args.get("y")
    is_square = (
        does(maker, Trait.SQUARES)
        or (does(maker, Trait.RAISES) and y == 2)
        or (does(maker, Trait.MULTIPLIES) and same_aligned(x, y))
    )
    return x if is_square and isinstance(x, TensorVal) else None


def _length_of(op: Op, operand: Value) -> TensorVal | None:
    """The tensor whose length along some axes an operation computes: a norm, or the root of a sum of squares."""
    if does(op, Trait.LENGTH):
        return operand if isinstance(operand, TensorVal) else None
    total = maker_of(laid_out(operand))
    if total is None or total.kind not in _TOTALS:
        return None
    return _squared(total.args.get("x"))


def _axes(op: Op, operand: Value) -> Any:
    total = op if does(op, Trait.LENGTH) else maker_of(laid_out(operand))
    return total.args.get("dim") if total is not None else None


def _is_distance(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether it is the distance between two points of which two may coincide."""
    inside = _length_of(op, operand)
    maker = maker_of(laid_out(inside)) if inside is not None else None
    if not does(maker, Trait.SUBTRACTS) or _axes(op, operand) is None:
        return False
    x, y = maker.args.get("x"), maker.args.get("y")
    if not isinstance(x, TensorVal) or not isinstance(y, TensorVal) or _is_mean_of(x, y) or _is_mean_of(y, x):
        return False
    return is_differentiated(op, operand, facts)


def _is_mean_of(value: TensorVal, other: TensorVal) -> bool:
    """Whether a tensor is a mean of another one: what differs from its own mean by nothing is constant, which is no pair of
    points."""
    maker = maker_of(laid_out(value, LAYOUT | MOVES))
    return maker is not None and maker.kind in _AVERAGES and same(laid_out(maker.args.get("x")), laid_out(other))


def _is_length_of_gradient(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether it is the length of a gradient through an activation that is flat somewhere, and itself differentiated."""
    inside = _length_of(op, operand)
    if inside is None or not is_differentiated(op, operand, facts):
        return False
    asked = (step for step in _steps_behind(inside, LAYOUT | MOVES) if does(step, Trait.GRADIENT))
    return any(_is_through_flat(gradient, facts) for gradient in asked)


#: Activations whose derivative is 0 somewhere, exactly or by rounding. That of a leaky rectifier is 0 nowhere.
_FLAT: Final = having_any(Trait.SATURATES | Trait.RECTIFIES)


def _is_through_flat(gradient: Op, facts: Facts) -> bool:
    """Whether an activation that is flat somewhere stands between what a gradient is of and what it is with respect to."""
    source, target = gradient.args.get("x"), gradient.args.get("y")
    if not isinstance(source, TensorVal) or not isinstance(target, TensorVal):
        return False
    before = {id(step) for step in facts.ancestors(source)}
    steps = [step for step in facts.ancestors(target) if id(step) not in before]
    return any(step.kind in _FLAT and _is_from(step, source, facts) for step in steps)


def _is_from(op: Op, source: TensorVal, facts: Facts) -> bool:
    """Whether an operation's operands are computed from a tensor."""
    return any(same(value, source) for step in (op, *facts.ancestors(*op.inputs)) for value in step.inputs)


def _is_cancelled(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether it is the mean of squares less the square of the mean, which rounding makes negative."""
    maker = maker_of(laid_out(operand))
    if not does(maker, Trait.SUBTRACTS):
        return False
    mean, square = maker_of(laid_out(maker.args.get("x"))), _squared(maker.args.get("y"))
    inner = maker_of(laid_out(square)) if square is not None else None
    if mean is None or inner is None or mean.kind not in MEANS or inner.kind not in MEANS:
        return False
    source = _squared(mean.args.get("x"))
    return source is not None and same(source, inner.args.get("x"))


def _is_exponential(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether it is an exponential that underflows to 0: in half precision, below -17. In float32 it takes a score below -103,
    which a logarithmic variance does not reach unless a limit is written down there."""
    maker = maker_of(laid_out(operand))
    if maker is None or not does(maker, Trait.EXPONENTIAL) or does(maker, Trait.SHIFTED):
        return False
    is_reached = maker.output.dtype is FLOAT16 or math.isfinite(facts.ranges.at(maker, maker.args.get("x")).low.value)
    return is_reached and is_differentiated(op, operand, facts)


# --- other operands -------------------------------------------------------------------------------------------------------


def _is_arc_at_border(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether a cosine or sine is limited to the border itself, or normalised."""
    ends = [end for end in (found.low, found.high) if abs(end.value) == 1 and end.origin is Origin.DERIVED]
    return bool(ends) and is_differentiated(op, operand, facts)


def _is_uniform(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether it is drawn evenly from [0, 1), 0 included."""
    value = laid_out(operand)
    maker = value.producer if isinstance(value, TensorVal) else None
    drawn = maker is not None and (maker.kind in _UNIFORM or maker.spelled.endswith(".uniform_"))
    return drawn and found.low.value == 0 and found.low.origin is Origin.DERIVED


_UNIFORM: Final = having(Trait.DRAWS_EVENLY)


def _is_own_normalisation(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether a learned tensor less its mean is divided by its deviation along an axis."""
    spread = _spread(op, operand)
    if spread is None or spread.args.get("dim") is None:
        return False
    source = spread.args.get("x")
    dividends = (
        [op.args.get("x")] if does(op, Trait.DIVIDES) else [other for taker in facts.takers(op) for other in taker.inputs]
    )
    return any(_is_centred(value, source) for value in dividends) and is_differentiated(op, operand, facts)


def _spread(op: Op, operand: Value) -> Op | None:
    """The operation that computes the deviation, or the variance under a root."""
    maker = maker_of(laid_out(operand))
    if does(maker, Trait.ROOT) and not does(maker, Trait.INVERTS) and does(op, Trait.DIVIDES):
        maker = maker_of(laid_out(maker.args.get("x")))
        return maker if does(maker, Trait.VARIANCE) else None
    wanted = Trait.DEVIATION if does(op, Trait.DIVIDES) else Trait.VARIANCE
    return maker if does(maker, wanted) else None


def _is_centred(value: Value, source: Value) -> bool:
    """Whether a tensor is another one less a mean of it."""
    maker = maker_of(laid_out(value))
    if not does(maker, Trait.SUBTRACTS) or not same(maker.args.get("x"), source):
        return False
    mean = maker_of(laid_out(maker.args.get("y")))
    return mean is not None and mean.kind in MEANS and same(mean.args.get("x"), source)


#: Steps from an exponential to the sum that is divided by, or taken the logarithm of.
_TO_SUM: Final = LAYOUT | MOVES | having_any(Trait.MULTIPLIES | Trait.ADDS | Trait.NEGATES)
_LOGARITHMS: Final = having(Trait.LOGARITHM)


def _is_summed(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether the exponentials of scores are added up, and the sum is divided by or taken the logarithm of."""
    return _reaches_quotient(op, facts, 6, summed=False)


def _reaches_quotient(op: Op, facts: Facts, depth: int, *, summed: bool) -> bool:
    if depth == 0:
        return False
    for taker in facts.takers(op):
        if summed and (taker.kind in _LOGARITHMS or (does(taker, Trait.DIVIDES) and _is_divisor(op, taker))):
            return True
        total = does(taker, Trait.SUMS)
        if (total or taker.kind in _TO_SUM) and _reaches_quotient(taker, facts, depth - 1, summed=summed or total):
            return True
    return False


def _is_divisor(op: Op, quotient: Op) -> bool:
    return any(quotient.args.get("y") is output for output in op.outputs)


# --- guards ---------------------------------------------------------------------------------------------------------------


def _is_rectified(op: Op, operand: Value, found: Interval, facts: Facts) -> bool:
    """Whether a rectifier, of whose argument negative numbers are not excluded, gives the operand."""
    maker = maker_of(laid_out(operand))
    if not does(maker, Trait.RECTIFIES) or found.low.value != 0 or found.low.origin is not Origin.DERIVED:
        return False
    return facts.ranges.at(maker, maker.args.get("x")).low.value < 0


# --- the list -------------------------------------------------------------------------------------------------------------

_SATURATION: Final = KnownFailure(
    "saturation",
    "made of a saturating activation, which rounding brings to its limit",
    "39 of the 79 bugs of GRIST (Yan et al., FSE 2021)",
    _is_saturated,
)
_DISTANCE: Final = KnownFailure(
    "distance",
    "the distance of two points, which may coincide",
    "pytorch/pytorch#2421, open-mmlab/mmrotate#205",
    _is_distance,
)
_GRADIENT: Final = KnownFailure(
    "gradient-penalty",
    "the length of a gradient, which is 0 where activations are flat",
    "keras-team/keras-io#910, pytorch/pytorch#2534",
    _is_length_of_gradient,
)
_EXPONENTIAL: Final = KnownFailure(
    "root-of-exponential",
    "an exponential, which underflows to 0",
    "5 of the 79 bugs of GRIST (Yan et al., FSE 2021)",
    _is_exponential,
)
_CANCELLED: Final = KnownFailure(
    "variance-as-difference",
    "a mean of squares less a squared mean, which rounding makes negative",
    "microsoft/CNTK#3816; Chan, Golub and LeVeque, Algorithms for Computing the Sample Variance, 1983",
    _is_cancelled,
)
_ARC: Final = KnownFailure(
    "arc-at-border",
    "a cosine that reaches -1 and 1",
    "pytorch/pytorch#8069, jax-ml/jax#23649",
    _is_arc_at_border,
)
_UNIFORM_DRAW: Final = KnownFailure(
    "log-of-uniform",
    "drawn evenly from [0, 1), 0 included",
    "pytorch/pytorch#4517, HKUDS/SSLRec#26",
    _is_uniform,
)
_RECTIFIED: Final = KnownFailure(
    "rectified",
    "rectified, and 0 wherever a score is negative",
    "2 of the 79 bugs of GRIST (Yan et al., FSE 2021)",
    _is_rectified,
)
_NORMALISATION: Final = KnownFailure(
    "own-normalisation",
    "a deviation, which is 0 where all elements are alike",
    "tensorflow/tensorflow#61287, Dobiasd/frugally-deep#384",
    _is_own_normalisation,
)
_SUM: Final = KnownFailure(
    "sum-of-exponentials",
    "a score, and the exponentials are added up as in a softmax",
    "7 of the 79 bugs of GRIST (Yan et al., FSE 2021); documentation of torch.logsumexp",
    _is_summed,
)
_BY_KIND: Final[dict[str, tuple[KnownFailure, ...]]] = by_name(
    {
        Trait.LOGARITHM | Trait.SHIFTED: (_SATURATION,),
        Trait.LOGARITHM: (_SATURATION, _UNIFORM_DRAW, _RECTIFIED),
        Trait.DIVIDES: (_SATURATION, _NORMALISATION, _RECTIFIED),
        Trait.INVERTS: (_SATURATION, _RECTIFIED),
        Trait.ROOT | Trait.MONOTONE: (_DISTANCE, _GRADIENT, _EXPONENTIAL, _CANCELLED),
        Trait.ROOT: (_NORMALISATION, _CANCELLED),
        Trait.LENGTH: (_DISTANCE, _GRADIENT),
        Trait.RAISES: (_SATURATION, _DISTANCE, _GRADIENT),
        Trait.POLES_AT_ENDS: (_SATURATION,),
        Trait.ARC: (_ARC,),
        Trait.EXPONENTIAL | Trait.SHIFTED: (),
        Trait.EXPONENTIAL: (_SUM,),
    }
)
#: All of them, for the reader.
KNOWN_FAILURES: Final = tuple(dict.fromkeys(failure for failures in _BY_KIND.values() for failure in failures))
