"""DLS202: two activations in a row on the same tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import MOVES
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import remove_operation
from dllint.ir.program import Op, TensorVal
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import told_apart

#: What a second activation does after one that is open above.
_EFFECT_AFTER = dict.fromkeys(("relu", "softplus"), "never gets a negative value, so half of its range stays unused") | (
    dict.fromkeys(("elu", "selu", "gelu", "silu", "leaky_relu"), "gets next to nothing below 0")
)
_ACTIVATIONS = (
    "relu",
    "sigmoid",
    "tanh",
    "softmax",
    "elu",
    "selu",
    "gelu",
    "silu",
    "leaky_relu",
    "softplus",
    "softsign",
    "log_softmax",
)
#: Pairs that are one activation by design: Mish is ``x * tanh(softplus(x))``.
_COMPOSED = frozenset({("softplus", "tanh")})
#: Operations that weigh a tensor by another one.
_GATES = frozenset({"mul", "matmul", "bmm", "mm", "einsum", "batch_dot", "np_dot", "tensordot"})
#: Operations between a weight and what it weighs.
_BETWEEN = MOVES | {"dropout"}


class RedundantActivation(Rule):
    """Two activations follow each other on the same tensor.

    ## What it finds
    An activation whose input is another activation's output: `Dense(…, activation="relu")` followed by
    `Activation("tanh")`, a softmax applied twice, a sigmoid before a softmax. ReLU after ReLU has no effect and is reported
    as information.

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
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in _ACTIVATIONS)

    def check(self, item: Op, context: Any) -> Iterator[Finding]:
        """What made the activation's input."""
        first = previous_activation(item)
        if first is None or (item.kind == "log_softmax" and first.kind != "softmax") or (first.kind, item.kind) in _COMPOSED:
            return
        if item.kind == "softmax" and first.kind in _EFFECT_AFTER:  # it compares scores: one that is above 0 says as much
            return
        users = context.facts.takers(first)
        if len(users) != 1 or is_gate(item, context.facts):
            return
        same = item.kind == first.kind == "relu"
        effect = "has no effect" if same else _EFFECT_AFTER.get(first.kind, "squeezes values that are already bounded")
        second, earlier = told_apart([item, first], context)
        message = f"{second} follows {earlier} and {effect}{context.condition_note(item)}"
        severity = Severity.INFO if same else None
        applicability = Applicability.SAFE if same else Applicability.UNSAFE
        fixes = offer(context, "Delete the second activation", remove_operation(item), applicability)
        advice, related = "delete the second", built(first, context)
        yield context.finding(self, item, message, advice=advice, related=related, severity=severity, fixes=fixes)


def is_gate(op: Op, facts: Facts) -> bool:
    """Whether the result weighs another tensor, laid out anew or thinned out by dropout before that."""
    takers = list(facts.takers(op))
    return any(taker.kind in _GATES or (taker.kind in _BETWEEN and is_gate(taker, facts)) for taker in takers)


def previous_activation(op: Op) -> Op | None:
    """The activation whose result is the op's input, through operations that only move elements."""
    value = op.args.get("x")
    while isinstance(value, TensorVal) and value.producer is not None:
        maker = value.producer
        if maker.kind in _ACTIVATIONS:
            return maker
        if maker.kind not in MOVES or not maker.inputs:
            return None
        value = maker.inputs[0]
    return None
