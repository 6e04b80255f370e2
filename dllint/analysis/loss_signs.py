"""Losses that a minus is missing in: what is minimised has no lower bound, or falls as the model gets worse.

A loss is followed back from where it is differentiated through sums, means, differences and products with numbers or with
factors whose sign is known, with the sign that each part has in it. Three parts tell that the sign is wrong:

- the logarithm of a probability that weights decide, or of that of a mixture, with a plus: minimised, it makes what is true
  improbable;
- the square or the exponential of the raw output of a layer, with a minus, and no such part of the same output with a plus;
- the log-probability of an action, times a reward by its name, with a plus (Sutton and Barto, REINFORCE: ascent).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.name_words import words
from dllint.analysis.output_kind import AFFINE, MOVES
from dllint.analysis.recorded import requires_gradient, starts
from dllint.analysis.signs import sign
from dllint.domains.finite import finite
from dllint.ir.events import Backward, LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value, unwrap
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import behind, maker_behind
from dllint.source.walk import walk

#: So many parts of a loss are looked at.
_MOST: Final = 500
_TOTALS: Final = having_any(Trait.SUMS | Trait.AVERAGES)
_SAME: Final = MOVES | _TOTALS
_GUARDED: Final = MOVES | having_any(Trait.CLAMPS)
_PROBABILITIES: Final = having(Trait.PROBABILITIES)
_LIKELIHOOD: Final = "distribution_log_prob"
#: Words of names of what an agent is rewarded with.
_REWARDS: Final = frozenset({
    "reward", "rewards", "return", "returns", "rets", "adv", "advs", "advantage", "advantages", "discounted", "gae", "tderror",
})  # fmt: skip


class Reversed(NamedTuple):
    """A part of a loss that has the wrong sign, and what is wrong of it."""

    backward: Backward
    part: Op
    reason: str


LIKELIHOOD: Final = "likelihood"
UNBOUNDED: Final = "unbounded"
REWARD: Final = "reward"


def reversed_losses(facts: Facts) -> Iterator[Reversed]:
    """The losses of a program that a part of has the wrong sign, each place once."""
    if any(unwrap(call.bound.get("maximize")) is True for call in facts.events(LibraryCall)):
        return
    told: set[int] = set()
    for backward in facts.events(Backward):
        if isinstance(backward.target, TensorVal) and backward.target.framework == "torch":
            for part, reason in _Parts(facts, backward).wrong():
                if id(part.site.node) not in told:
                    told.add(id(part.site.node))
                    yield Reversed(backward, part, reason)


@dataclass(slots=True)
class _Parts:
    """The parts of one loss with their signs."""

    facts: Facts
    backward: Backward
    #: The outputs of layers whose squares or exponentials are added, by id of the tensor.
    added: set[int] = field(default_factory=set)
    subtracted: list[tuple[Op, TensorVal]] = field(default_factory=list)
    likelihoods: list[tuple[Op, str]] = field(default_factory=list)

    def wrong(self) -> Iterator[tuple[Op, str]]:
        """The parts whose sign is wrong, and why."""
        todo: list[tuple[Value, int, bool]] = [(self.backward.target, 1, False)]
        seen: set[tuple[int, int]] = set()
        while todo and len(seen) < _MOST:
            value, positive, is_reward = todo.pop()
            op = value.producer if isinstance(value, TensorVal) else None
            if op is None or (id(op), positive) in seen:
                continue
            seen.add((id(op), positive))
            inner = _inner(op)
            if inner is None:
                self._note(op, positive, is_reward)
                continue
            for operand, factor in inner:
                rewarded = is_reward
                if factor == 0:
                    if not self._is_reward(op, operand):
                        continue
                    factor, rewarded = 1, True
                todo.append((operand, positive * factor, rewarded))
        yield from self.likelihoods
        for op, output in self.subtracted:
            if output.id not in self.added:
                yield op, UNBOUNDED

    def _note(self, op: Op, positive: int, is_reward: bool) -> None:
        """A part that is no sum or product: what it says of the loss."""
        if op.kind == _LIKELIHOOD:
            if positive > 0 and is_reward and self._is_trained(op.output):
                self.likelihoods.append((op, REWARD))
        elif is_reward:
            return
        elif _is_likelihood(op):
            if positive > 0 and self._is_trained(op.output):
                self.likelihoods.append((op, LIKELIHOOD))
        elif (output := _grown(op)) is not None:
            if positive > 0:
                self.added.add(output.id)
            elif self._is_trained(output):
                self.subtracted.append((op, output))

    def _is_trained(self, value: TensorVal) -> bool:
        return requires_gradient(value, self.backward.site, self.facts)

    def _is_reward(self, product: Op, operand: Value) -> bool:
        """Whether the other factor of a product is a reward by its name, and not computed by what is trained."""
        other = next((value for value in product.inputs if value is not operand), None)
        if other is None or any(
            starts(op, self.facts) and id(op) not in self.facts.without_gradient for op in self.facts.ancestors(other)
        ):
            return False
        node = product.site.node
        names = {part.value for part in walk(node) if isinstance(part, cst.Name)} if node is not None else set()
        return any(words(name) & _REWARDS for name in names)

    def _is_recorded(self, op: Op) -> bool:
        """Whether an operation has trained weights, and gradients are recorded for it."""
        return starts(op, self.facts) and id(op) not in self.facts.without_gradient


def _inner(op: Op) -> list[tuple[Value, int]] | None:
    """The operands that a sum, mean, product or move hands on, each with the sign of what it is multiplied by (0 if that is not
    known); ``None`` for other operations."""
    x, y = op.args.get("x"), op.args.get("y")
    if op.kind in _SAME:
        return [(op.args.get("x", op.args.get("data")), 1)]
    if does(op, Trait.NEGATES):
        return [(x, -1)]
    if does(op, Trait.ADDS):
        return [(x, 1), (y, 1)]
    if does(op, Trait.SUBTRACTS):
        return [(x, 1), (y, -1)]
    if does(op, Trait.MULTIPLIES):
        return [(x, _factor(y, x)), (y, _factor(x, y))]
    if does(op, Trait.DIVIDES):
        return [(x, _factor(y, x))]
    return None


def _factor(other: Value, operand: Value) -> int:
    """The sign of what an operand is multiplied by; of factors that weights decide as they do the operand, it is not asked."""
    if not isinstance(operand, TensorVal):
        return 1
    if (number := finite(unwrap(other))) is not None:
        return (number > 0) - (number < 0)
    if not isinstance(other, TensorVal):
        return 0
    if _shares_weights(other, operand):
        return 0
    codes = behind(other, MOVES)
    is_not_negative = does(codes.producer, Trait.ONE_HOT) or (codes.low is not None and codes.low >= 0 and not codes.modified)
    return 1 if is_not_negative else sign(other)


def _shares_weights(other: TensorVal, operand: TensorVal) -> bool:
    """Whether two factors come from one softmax, as those of an entropy do."""
    return bool(_sources(other) & _sources(operand))


def _sources(value: TensorVal) -> set[int]:
    """The operations with a layer behind a value."""
    found: set[int] = set()
    todo, seen = [value], set[int]()
    while todo and len(seen) < _MOST:
        op = todo.pop().producer
        if op is None or id(op) in seen:
            continue
        seen.add(id(op))
        if op.layer is not None or does(op, Trait.PROBABILITIES) or does(op, Trait.LOG_PROBABILITIES):
            found.add(id(op))
        todo += op.inputs
    return found


def _is_likelihood(op: Op) -> bool:
    """Whether an operation gives the logarithm of what a model takes for the probability of something, not of its opposite."""
    if does(op, Trait.LOG_PROBABILITIES):
        return not does(maker_behind(op.args.get("x"), MOVES), Trait.NEGATES)
    if does(op, Trait.LOG_SUM_EXP):
        return _of_mixture(op)
    return does(op, Trait.LOGARITHM) and _of_probability(op)


def _of_probability(logarithm: Op) -> bool:
    """Whether a logarithm is that of a softmax or sigmoid, perhaps guarded by a clamp or a small number."""
    value = logarithm.args.get("x")
    maker = maker_behind(value, _GUARDED)
    if does(maker, Trait.ADDS):
        maker = maker_behind(maker.args.get("x"), _GUARDED)
    return maker is not None and maker.kind in _PROBABILITIES


def _of_mixture(total: Op) -> bool:
    """Whether the exponentials that are added up are those of sums, of which one term is the logarithm of the shares of a
    mixture: the others are that of the densities of its components."""
    terms = list(_terms(total.args.get("x")))
    return len(terms) > 1 and any(does(op, Trait.LOG_PROBABILITIES) for op in terms)


def _terms(value: Value) -> Iterator[Op]:
    """The operations that make the terms of a sum, as far as they are known."""
    todo, seen = [value], 0
    while todo and (seen := seen + 1) < _MOST:
        maker = maker_behind(todo.pop(), MOVES)
        if maker is not None and (does(maker, Trait.ADDS) or does(maker, Trait.SUBTRACTS)):
            todo += [maker.args.get("x"), maker.args.get("y")]
        elif maker is not None:
            yield maker


def _grown(op: Op) -> TensorVal | None:
    """The raw output of a layer that an operation squares, or whose exponential it takes."""
    is_square = does(op, Trait.SQUARES) or (does(op, Trait.RAISES) and unwrap(op.args.get("y")) in (2, 2.0))
    x = op.args.get("x")
    if not isinstance(x, TensorVal) or not (is_square or does(op, Trait.EXPONENTIAL)):
        return None
    output = behind(x, _SAME)
    return output if output.producer is not None and output.producer.kind in AFFINE else None
