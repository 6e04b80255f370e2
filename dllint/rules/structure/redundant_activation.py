"""DLS202: two activations in a row on the same tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import MOVES
from dllint.analysis.weighing import weighs
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import remove_operation
from dllint.ir.program import Op
from dllint.ops.kinds import by_name, does, having
from dllint.ops.traits import Trait
from dllint.ops.walk import all_takers, maker_behind
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import distinguished

#: What a second activation does after one that is open above.
_EFFECT_AFTER = by_name(
    {
        Trait.ONE_SIDED: "never gets a negative value, so half of its range stays unused",
        Trait.LEAKS: "gets little of what is below 0",
    }
)
_ACTIVATIONS = having(Trait.LAYER_ACTIVATION)

#: Slopes below 0 from which on a rectifier is hardly one (they are 0.01 to 0.3 in use).
_STEEP: Final = 0.5


class RedundantActivation(Rule[Op]):
    """Two activations follow each other on the same tensor.

    ## What it finds
    An activation whose input is another activation's output: `Dense(…, activation="relu")` followed by
    `Activation("tanh")`, a softmax applied twice, a sigmoid before a softmax. ReLU after ReLU has no effect and is reported
    as information, and so is a second activation of which nothing but the place of the largest element is taken.

    ## Why it is bad
    The second activation squeezes what the first has already bounded: gradients shrink and outputs cannot use their range.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Activation, Dense

    model = Sequential([Input((8,)), Dense(3, activation="sigmoid"), Activation("softmax")])  # error: [DLS202]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Activation, Dense

    model = Sequential([Input((8,)), Dense(3), Activation("softmax")])
    ```

    ## When it stays silent
    Gated products such as a hand-written Mish, and a ReLU6 or clamp after a ReLU.
    ```python
    import torch
    from torch import nn
    from torch.nn import functional as F

    h = nn.Linear(8, 8)(torch.randn(4, 8))
    mish = h * torch.tanh(F.softplus(h))
    capped = F.relu6(torch.relu(h))
    ```

    ## References
    - Nikanjam et al., NeuraLint: double activation; Humbatova et al., ICSE 2020: redundant softmax activation.
    """

    code = "DLS202"
    name = "redundant-activation"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(_ACTIVATIONS))

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What made the activation's input."""
        first = previous_activation(item)
        if (
            first is None
            or (does(item, Trait.SOFTMAX | Trait.LOG_PROBABILITIES) and not does(first, Trait.SHARES))
            or is_composed(first, item)
            or _keeps_what_is_below(first)
        ):
            return
        if does(item, Trait.SHARES) and first.kind in _EFFECT_AFTER:  # it compares scores: one that is above 0 says as much
            return
        users = context.facts.takers(first)
        if len(users) != 1 or weighs(item, context.facts):
            return
        same = item.kind == first.kind and does(item, Trait.RECTIFIES)
        effect = "has no effect" if same else _EFFECT_AFTER.get(first.kind, "squeezes values that are already bounded")
        second, earlier = distinguished([item, first], context)
        message = f"{second} follows {earlier} and {effect}{context.condition_note(item)}"
        severity = Severity.INFO if same or is_only_ranked(item, context.facts) else None
        applicability = Applicability.SAFE if same else Applicability.UNSAFE
        which, removed = ("first", first) if lacks(first, item) else ("second", item)
        fixes = offer(context, f"Delete the {which} activation", remove_operation(removed), applicability)
        advice, related = f"delete the {which}", built(first, context)
        yield context.finding(self, item, message, advice=advice, related=related, severity=severity, fixes=fixes)


def lacks(first: Op, second: Op) -> bool:
    """Whether the second activation is meant to be the last, and lacks what the first keeps from it: one that bounds an output
    after one of hidden layers, a softmax after a sigmoid."""
    if does(second, Trait.SHARES):
        return not does(first, Trait.SHARES)
    return first.kind in _EFFECT_AFTER and second.kind not in _EFFECT_AFTER


def is_only_ranked(op: Op, facts: Facts) -> bool:
    """Whether nothing but the places of the largest or smallest elements is taken of a result: an activation keeps them."""
    takers = list(all_takers(op, MOVES, facts.takers))
    return bool(takers) and all(does(taker, Trait.POSITIONS) for taker in takers)


def _keeps_what_is_below(first: Op) -> bool:
    """Whether an activation takes so little from what is below 0 that the second one gets most of it: a slope of ``True``,
    meant for another parameter, is one of 1."""
    slope = first.args.get("negative_slope")
    return isinstance(slope, (int, float)) and slope >= _STEEP


def is_composed(first: Op, second: Op) -> bool:
    """Whether two activations are one by design: Mish is ``x * tanh(softplus(x))``."""
    return does(second, Trait.TANH) and does(first, Trait.ONE_SIDED) and not does(first, Trait.RECTIFIES)


def previous_activation(op: Op) -> Op | None:
    """The activation whose result is the op's input, through operations that only move elements."""
    maker = maker_behind(op.args.get("x"), MOVES)
    return maker if does(maker, Trait.LAYER_ACTIVATION) else None
