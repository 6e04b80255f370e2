"""DLL104: binary cross-entropy with logits gets probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.output_kind import OutputKind, source
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.operations import replace_class, replace_function
from dllint.ir.program import Op, TensorVal
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class SigmoidBeforeBceWithLogits(Rule[Op]):
    """Binary cross-entropy with logits, which applies a sigmoid itself, gets the output of one.

    ## What it finds
    The argument of `BCEWithLogitsLoss`, `F.binary_cross_entropy_with_logits` or TensorFlow's
    `sigmoid_cross_entropy_with_logits` was made by a sigmoid or softmax.

    ## Why it is bad
    The sigmoid is applied twice: predictions stay between 0.5 and 0.73, and the loss never gets small. Nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
    criterion = nn.BCEWithLogitsLoss()
    loss = criterion(model(torch.randn(32, 8)), torch.rand(32, 1))  # error: [DLL104]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
    criterion = nn.BCELoss()
    loss = criterion(model(torch.randn(32, 8)), torch.rand(32, 1))
    ```

    ## When it stays silent
    A sigmoid for metrics only.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 1)
    scores = model(torch.randn(32, 8))
    loss = nn.BCEWithLogitsLoss()(scores, torch.rand(32, 1))
    hits = scores.sigmoid() > 0.5
    ```

    ## References
    - PyTorch documentation, `torch.nn.BCEWithLogitsLoss`.
    """

    code = "DLL104"
    name = "sigmoid-before-bce-with-logits"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("op:bce_with_logits",)
    suppresses = ("DLS202",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What made the prediction."""
        x = item.args.get("x")
        made = source(x) if isinstance(x, TensorVal) else None
        if made is None or made.op is None or made.kind not in (OutputKind.SIGMOID, OutputKind.SOFTMAX):
            return
        given = f"has already gone through {operation(made.op, context)} ({made.kind.value})"
        message = f"{operation(item, context)} applies a sigmoid itself, but its input {given}{context.condition_note(item)}"
        advice = "give it the raw scores, or use BCELoss / binary_cross_entropy"
        related = [r for r in (origin(made.op.output, item, context),) if r]
        fixes = offer(context, "Use the loss on probabilities", plain_loss(item), Applicability.UNSAFE)
        yield context.finding(self, item, message, advice=advice, related=related, fixes=fixes)


@builder
def plain_loss(op: Op) -> tuple[Edit, ...]:
    """PyTorch's loss without the built-in sigmoid."""
    if op.framework != "torch":
        return ()
    if op.layer is not None:
        return replace_class(op.layer, "torch.nn.BCELoss")
    if not isinstance(op.site.node, cst.Call):
        return ()
    return replace_function(op.site, op.site.node, "torch.nn.functional.binary_cross_entropy")
