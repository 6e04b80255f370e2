"""DLT119: ``squeeze()`` without an axis also drops a batch axis of size 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.batch_axis import needs_batch_axis
from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.domains.shape import may_be_one, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import add_positional
from dllint.fixes.boundary import builder
from dllint.fixes.performed import Edits, as_method
from dllint.ir.program import Op, TensorVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class SqueezeDropsBatchAxis(Rule[Op]):
    """`squeeze()` without an axis also drops the batch axis when a batch has one sample.

    ## What it finds
    In a model, `x.squeeze()` on a tensor with a batch axis of unknown size and one other axis that is known to be 1, or several
    as after a global pooling.

    ## Why it is bad
    The last batch of an epoch, or a single sample at inference, loses its batch axis: losses broadcast or raise. Where the
    result only meets what goes on without the axis, it is told as information.

    ## Bad
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 1)

        def forward(self, x, y):
            scores = self.fc(x.view(-1, 8)).squeeze()  # error: [DLT119]
            return nn.functional.binary_cross_entropy_with_logits(scores, y)
    ```

    ## Good
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 1)

        def forward(self, x, y):
            scores = self.fc(x.view(-1, 8)).squeeze(-1)
            return nn.functional.binary_cross_entropy_with_logits(scores, y)
    ```

    ## When it stays silent
    With an axis, or when the batch size is known to exceed 1.
    ```python
    import torch
    from torch import nn

    fc = nn.Linear(8, 1)
    y = fc(torch.randn(32, 8)).squeeze()
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing squeeze.
    """

    code = "DLT119"
    name = "squeeze-drops-batch-axis"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("op:squeeze",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A squeeze of everything inside a model, with a batch that may be 1."""
        x = item.args.get("x")
        if (
            item.owner is None
            or item.args.get("dim") not in (None, ())
            or not isinstance(x, TensorVal)
            or isinstance(x.shape, Unknown)
        ):
            return
        ones = [axis - len(x.shape) for axis, size in enumerate(x.shape) if axis and isinstance(size, int) and size == 1]
        if not ones or not isinstance(x.shape[0], DimExpr) or not may_be_one(x.shape[0]):
            return
        is_one = len(ones) == 1
        if not is_one and len(x.shape) - len(ones) != len(("batch", "features")):
            return
        dropped = f"every axis of size 1 of {show_shape(x.shape)}"
        message = f"{operation(item, context)} drops {dropped}, also the batch axis of a single sample"
        advice = f"name the axis: squeeze({ones[0]})" if is_one else "flatten the axes after the batch: flatten(1)"
        fix = f"Squeeze axis {ones[0]} only" if is_one else "Flatten the axes after the batch"
        edits = _named(item, ones[0]) if is_one else as_method(item, "flatten", "1")
        fixes = offer(context, fix, edits, Applicability.UNSAFE)
        severity = self.severity if needs_batch_axis(item, context.facts) else Severity.INFO
        yield context.finding(self, item, message + context.condition_note(item), advice=advice, severity=severity, fixes=fixes)


@builder
def _named(op: Op, axis: int) -> Edits:
    """The axis that is dropped, as an argument."""
    return add_positional(op.site, op.site.node, str(axis)) if isinstance(op.site.node, cst.Call) else ()
