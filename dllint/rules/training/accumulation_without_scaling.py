"""DLO123: gradients of several batches are added up, and the loss is not divided by their number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import accumulating
from dllint.analysis.typestate.accumulating import Unscaled
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class AccumulationWithoutScaling(Rule[Program]):
    """Gradients of several batches are added up as they are before each step.

    ## What it finds
    A loop that differentiates the mean loss of each batch and steps under a condition like `(i + 1) % count == 0`, where
    nothing is divided by the count, with an optimizer whose steps grow with the gradients (SGD). And such a loop that clears
    the gradients in each pass.

    ## Why it is bad
    The gradient of `count` batches together is the mean of theirs. Their sum is `count` times as large, so that the learning
    rate is, too: whoever changes the count changes the rate without knowing it. Gradients that are cleared in each pass are not
    added up at all: all batches but the last one of each group are computed for nothing.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    count = 4
    batches = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(16)]
    for i, (x, y) in enumerate(batches):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()  # hint: [DLO123]
        if (i + 1) % count == 0:
            optimizer.step()
            optimizer.zero_grad()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    count = 4
    batches = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(16)]
    for i, (x, y) in enumerate(batches):
        loss = nn.functional.cross_entropy(model(x), y)
        (loss / count).backward()
        if (i + 1) % count == 0:
            optimizer.step()
            optimizer.zero_grad()
    ```

    ## When it stays silent
    Losses or learning rates that are scaled anywhere by the count, sums of losses, clipped gradients, optimizers that do not
    depend on the size of gradients, and libraries that accumulate themselves.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    batches = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(16)]
    for i, (x, y) in enumerate(batches):
        nn.functional.cross_entropy(model(x), y).backward()
        if i % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
    ```

    ## References
    - PyTorch documentation, "Automatic Mixed Precision examples": gradient accumulation.
    """

    code = "DLO123"
    name = "accumulation-without-scaling"
    severity = Severity.HINT
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:backward",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The loops of a program that add up whole gradients, or that add up none though they are made for it."""
        for lost in accumulating.cleared_each_time(context.facts):
            count, cleared = context.text(lost.count), quoted(context.text(lost.cleared))
            place = context.related(lost.step, "the step stands under this condition")
            yield context.finding(
                self,
                lost.cleared,
                f"of {quoted(count)} batches only the last one counts, as {cleared} clears the gradients of each",
                advice="clear the gradients behind the step, under its condition",
                severity=Severity.WARNING,
                related=[place] if place else [],
                kind="cleared",
            )
        for found in accumulating.unscaled(context.facts.training):
            count = context.text(found.count)
            related = context.related(found.step, "this step applies all of them")
            yield context.finding(
                self,
                found.backward,
                f"the gradients of {quoted(count)} batches are added up and not divided by their number",
                advice=f"divide the loss by {count} before the backward pass",
                related=[related] if related else [],
                fixes=_fixes(found, count, context),
            )


@builder
def _fixes(found: Unscaled, count: str, context: Context) -> tuple[Fix, ...]:
    """Divide the loss, where the count is written with the same names."""
    node = found.backward.site.node
    loss = node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else None
    if loss is None or found.backward.scope != found.step.scope:
        return ()
    divided = count if isinstance(found.count, (cst.Name, cst.Attribute, cst.Integer)) else f"({count})"
    edits = replace_expression(found.backward.site, loss, f"({context.text(loss)} / {divided})")
    return tuple(offer(context, "Divide the loss by the count", edits, Applicability.UNSAFE))
