"""DLL101: a loss that takes raw scores gets probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.output_kind import OutputKind, source
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import remove_operation
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_WRONG = (OutputKind.SOFTMAX, OutputKind.SIGMOID)


class SoftmaxBeforeCrossEntropy(Rule[Op]):
    """Cross-entropy, which applies log-softmax itself, gets the output of a softmax or sigmoid.

    ## What it finds
    The tensor given to `nn.CrossEntropyLoss`, `F.cross_entropy` or TensorFlow's `softmax_cross_entropy_with_logits` was
    made by a softmax or sigmoid, also inside the model and across files. A `log_softmax` is harmless but redundant and is
    reported as information.

    ## Why it is bad
    The softmax is applied twice. Scores then lie in [0, 1], the loss cannot fall below about 1.46 for ten classes, and
    gradients shrink: the model trains slowly and stops early, without any error.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 10), nn.Softmax(dim=1))
    criterion = nn.CrossEntropyLoss()
    loss = criterion(model(torch.randn(32, 8)), torch.randint(0, 10, (32,)))  # error: [DLL101]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 10))
    criterion = nn.CrossEntropyLoss()
    loss = criterion(model(torch.randn(32, 8)), torch.randint(0, 10, (32,)))
    ```

    ## When it stays silent
    A softmax for metrics, or as the target of a distillation, while the loss gets the raw scores.
    ```python
    import torch
    from torch import nn
    from torch.nn import functional as F

    model = nn.Linear(8, 10)
    teacher = nn.Linear(8, 10)
    x = torch.randn(32, 8)
    scores = model(x)
    accuracy = (scores.softmax(1).argmax(1) == torch.randint(0, 10, (32,))).float().mean()
    loss = F.cross_entropy(scores, F.softmax(teacher(x), dim=1))
    ```

    ## References
    - Karpathy, *Most common neural net mistakes* 4: softmaxed outputs to a loss that expects raw logits.
    - Humbatova et al., ICSE 2020: redundant softmax; NeuraLint: loss input post-activation.
    """

    code = "DLL101"
    name = "softmax-before-cross-entropy"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = (
        "op:cross_entropy",
        "op:categorical_crossentropy",
        "op:sparse_categorical_crossentropy",
    )
    suppresses = ("DLS202",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What made the prediction."""
        x = item.args.get("x")
        if not isinstance(x, TensorVal) or (
            not does(item, Trait.CLASS_LOSS | Trait.ALWAYS_TAKES_SCORES) and not takes_scores(item)
        ):
            return
        made = source(x)
        if made.op is None or (made.kind not in _WRONG and not does(made.op, Trait.SOFTMAX | Trait.LOG_PROBABILITIES)):
            return
        related = [r for r in (origin(made.op.output, item, context),) if r]
        if does(made.op, Trait.SOFTMAX | Trait.LOG_PROBABILITIES):
            message = f"{operation(item, context)} applies log-softmax itself, so {operation(made.op, context)} is redundant"
            advice = "delete the activation, or use nll_loss"
            yield context.finding(self, item, message, advice=advice, related=related, severity=Severity.INFO)
            return
        given = f"has already gone through {operation(made.op, context)} ({made.kind.value})"
        message = f"{operation(item, context)} applies log-softmax itself, but its input {given}{context.condition_note(item)}"
        advice = "give it the raw scores, and keep the activation for inference"
        fixes = offer(context, "Delete the activation before the loss", remove_operation(made.op), Applicability.UNSAFE)
        yield context.finding(self, item, message, advice=advice, related=related, fixes=fixes)


def takes_scores(op: Op) -> bool:
    """Whether a loss of TensorFlow applies the softmax itself; in Keras it is an option, which DLL102 looks at."""
    return op.framework == "tensorflow" and op.args.get("from_logits") is True
