"""DLS204: the scores of the last layer are cut off by an activation before the softmax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import MOVES, OutputKind, source
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import remove_operation
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on, maker_behind
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import distinguished, operation

#: Activations that lose part of the scores. A sigmoid or softmax before a loss is DLL101's.
_CLIPPING: Final = by_name(
    {
        Trait.RECTIFIES: "all negative scores become 0",
        Trait.ONE_SIDED | Trait.KEEPS_SIGN: "scores are limited to [0, 6]",
        Trait.TANH: "scores are limited to [-1, 1]",
    }
)
#: Losses that apply the softmax themselves.
_LOSSES: Final = having(Trait.CLASS_LOSS | Trait.TAKES_SCORES)
#: What a classifier's probabilities are used for, and attention weights or gates are not.
_ENDS: Final = (
    having(Trait.LOSS)
    | having(Trait.CROSSES_GRAPH | Trait.KEEPS_VALUES)
    | having(Trait.PICKS_LARGE) - having_any(Trait.POOLS | Trait.CUMULATES)
    | having(Trait.LOGARITHM) - having(Trait.SHIFTED)
)
#: Operations between the activation and the softmax that keep what is lost.
_BETWEEN: Final = MOVES | having(Trait.DROPS)


class ClippedLogits(Rule[Op]):
    """The scores of the last layer are cut off by an activation before the softmax.

    ## What it finds
    A ReLU or tanh right after the last linear or convolution layer, whose result goes into a loss that applies the softmax
    itself, or into a softmax whose result is compared, logged or given to a loss.

    ## Why it is bad
    Negative scores carry as much information as positive ones. With a ReLU all classes below zero get one probability and no
    gradient; units that fall below zero for all samples never recover. A tanh keeps the probabilities of ten classes below
    0.45.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 10), nn.ReLU())
    scores = model(torch.randn(4, 8))  # error: [DLS204]
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 10, (4,)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 10))
    scores = model(torch.randn(4, 8))
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 10, (4,)))
    ```

    ## When it stays silent
    Scores that are scaled again, and a softmax that weighs other values.
    ```python
    import torch
    from torch import nn

    x = torch.randn(4, 8)
    clipped = 10 * torch.tanh(nn.Linear(8, 10)(x))
    loss = nn.functional.cross_entropy(clipped, torch.randint(0, 10, (4,)))
    gates = torch.relu(nn.Linear(8, 8)(x)).softmax(dim=1) * x
    ```

    ## References
    - Schoop et al., UMLAUT: the final layer has an activation.
    - Ben Braiek and Khomh, *TheDeepChecker*: useless ReLU.
    """

    code = "DLS204"
    name = "clipped-logits"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = (*(f"op:{kind}" for kind in sorted(_LOSSES)), "op:softmax", "op:log_softmax")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What made the scores."""
        if not expects_scores(item, context.facts):
            return
        clip = clipping(item.args.get("x"))
        scores = clip.args.get("x") if clip is not None else None
        if clip is None or not isinstance(scores, TensorVal):
            return
        affine = source(scores)
        if affine.kind is not OutputKind.LOGITS or affine.op is None:
            return
        cut, kept = distinguished([clip, affine.op], context)
        taken = f"the scores that {operation(item, context)} takes: {_CLIPPING[clip.kind]}"
        message = f"{cut} after {kept} cuts off {taken}{context.condition_note(item)}"
        fixes = offer(context, f"Delete the {clip.kind}", remove_operation(clip), Applicability.UNSAFE)
        related = [r for r in (context.related(item, "the scores are used here"),) if r]
        yield context.finding(self, clip, message, advice=f"delete the {clip.kind}", related=related, fixes=fixes)


def expects_scores(op: Op, facts: Facts) -> bool:
    """Whether an operation turns raw scores into the probabilities of classes."""
    if does(op, Trait.ALWAYS_TAKES_SCORES):
        return True
    if op.kind in _LOSSES:
        return op.args.get("from_logits") is True
    return any(user.kind in _ENDS for user in facts.takers(op)) and all(user.kind in _ENDS for user in facts.takers(op))


def clipping(value: Value) -> Op | None:
    """The activation that made a tensor, behind operations that keep its elements."""
    maker = maker_behind(value, _BETWEEN)
    return maker if maker is not None and maker.kind in _CLIPPING and handed_on(maker) is not None else None
