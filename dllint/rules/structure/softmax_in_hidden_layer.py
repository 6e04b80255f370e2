"""DLS203: a softmax inside the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import OutputKind, source
from dllint.domains.shape import normalize_axis
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.operations import rebuild, rename_option
from dllint.fixes.performed import Edits, as_method
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import holds_whole_rows, sole_taker
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, distinguished

_PASSES = having(Trait.KEEPS_ORDER) | having_any(Trait.DROPS | Trait.STANDARDISES)

_LAYERS = having_any(Trait.DENSE | Trait.CONVOLVES)


class SoftmaxInHiddenLayer(Rule[Op]):
    """A softmax is used as the activation of a hidden layer.

    ## What it finds
    A softmax over the features of a linear or convolution layer whose result feeds a further linear or convolution layer.

    ## Why it is bad
    The features compete for a sum of 1: most of them vanish, and so do their gradients.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(32, activation="softmax"), Dense(3, activation="softmax")])  # error: [DLS203]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(32, activation="relu"), Dense(3, activation="softmax")])
    ```

    ## When it stays silent
    Attention and gating, where the softmax weighs other values.
    ```python
    import torch
    from torch import nn

    x = torch.randn(4, 10, 8)
    weights = nn.Linear(8, 1)(x).softmax(dim=1)
    y = nn.Linear(8, 2)((weights * x).sum(dim=1))
    ```

    ## References
    - Ben Braiek and Khomh, *TheDeepChecker*: softmax as an intermediate layer.
    """

    code = "DLS203"
    name = "softmax-in-hidden-layer"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("op:softmax",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What made the softmax's input, and what alone takes its output."""
        x = item.args.get("x")
        made = source(x) if isinstance(x, TensorVal) else None
        if made is None or made.kind is not OutputKind.LOGITS or made.op is None or is_side_head(made.op, context.facts):
            return
        follower = next_layer(item, context.facts)
        if follower is None or not over_features(item, follower):
            return
        before, after = distinguished([made.op, follower], context)
        message = f"the softmax after {before} feeds {after}, so hidden features compete for a sum of 1"
        fixes = offer(context, "Use relu", relu(item), Applicability.UNSAFE)
        note, related = context.condition_note(item), built(follower, context)
        yield context.finding(self, item, message + note, advice="use relu", related=related, fixes=fixes)


#: The layer class of a rectifier in each framework.
_RECTIFIERS = {"torch": "torch.nn.ReLU", "keras": "keras.layers.ReLU"}


@builder
def relu(op: Op) -> Edits:
    """The softmax, written as an activation's name, a layer or a call, becomes a relu."""
    if op.layer is None:
        return as_method(op, "relu", "") if op.framework == "torch" else ()
    if named := rename_option(op.layer, "softmax", "relu"):
        return named
    rectifier = _RECTIFIERS.get(op.framework)
    return rebuild(op.layer, rectifier) if rectifier is not None and class_name(op.layer) in ("Softmax", "Softmax2d") else ()


def is_side_head(head: Op, facts: Facts) -> bool:
    """Whether the features go on beside the layer: an intermediate prediction is fed back, as in self-conditioned CTC."""
    features = head.args.get("x")
    return not isinstance(features, TensorVal) or any(user is not head for user in facts.users(features))


def over_features(item: Op, follower: Op) -> bool:
    """Whether the softmax runs along the axis that the layer after it sums over: not so in attention maps, nor if that axis is
    not the last any more."""
    x, dim = item.args.get("x"), item.args.get("dim", -1)
    rank = x.type.rank if isinstance(x, TensorVal) else None
    if not isinstance(dim, int):
        return False
    last = does(follower, Trait.DENSE) or follower.framework == "keras" or follower.args.get("channels_last") is True
    if rank is None:
        return last and dim == -1
    if normalize_axis(dim, rank) != (rank - 1 if last else 1):
        return False
    return not last or holds_whole_rows(item.output, follower.args.get("x"))


def next_layer(op: Op, facts: Facts) -> Op | None:
    """The linear or convolution layer that alone takes the op's result."""
    taker = sole_taker(op, _PASSES, facts.takers)
    return taker if taker is not None and taker.kind in _LAYERS and taker.layer is not None else None
