"""DLT120: an argmax over an axis of size 1, or over the batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.output_kind import OutputKind, source
from dllint.analysis.sample_axis import runs_over_samples
from dllint.domains.lattice import Unknown
from dllint.domains.shape import normalize_axis, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.performed import Edits, operand_text, replace_argument
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_SCORES = (OutputKind.LOGITS, OutputKind.SOFTMAX, OutputKind.LOG_PROBABILITY)
#: What a layer of one unit gives.
_UNITS = (*_SCORES, OutputKind.SIGMOID, OutputKind.TANH)


class ReductionOnSingletonOrBatchAxis(Rule[Op]):
    """An argmax runs over an axis of size 1, or over the batch instead of the classes.

    ## What it finds
    `argmax` or `max` along an axis that is known to have size 1 (one sigmoid unit), or along axis 0 of scores of shape
    (N, C).

    ## Why it is bad
    Over one element the answer is always 0, so the accuracy is the share of class 0. Over the batch it is a sample
    number, not a class. That an axis of numbers which are no scores has one element is information: callers may have chosen it.

    ## Bad
    ```python
    import torch
    from torch import nn

    net = nn.Linear(8, 1)
    predicted = net(torch.randn(32, 8)).argmax(1)  # error: [DLT120]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    net = nn.Linear(8, 1)
    predicted = (net(torch.randn(32, 8)) > 0).long()
    ```

    ## When it stays silent
    Tensors of one axis, axes of several classes, and a first axis that is not that of the samples, as after a transposition.
    ```python
    import torch
    from torch import nn

    net = nn.Linear(8, 10)
    classes = net(torch.randn(32, 8)).argmax(1)
    turned = net(torch.randn(32, 8)).t().argmax(0)
    best = torch.randn(10).argmax(0)
    ```

    ## References
    - Ben Braiek and Khomh, *TheDeepChecker*: argmax for a binary task.
    """

    code = "DLT120"
    name = "reduction-on-singleton-or-batch-axis"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("op:argmax", "op:max_dim")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The reduced axis, its size, and what the scores are."""
        x, dim = item.args.get("x"), item.args.get("dim")
        if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or not isinstance(dim, int) or len(x.shape) < 2:
            return
        axis = normalize_axis(dim, len(x.shape))
        if axis is None:
            return
        shape = show_shape(x.shape)
        kind, severity = source(x).kind, None
        if axis and axis == len(x.shape) - 1 and all(_is_single(op, axis) for op in context.facts.passes(item)):
            message = f"{operation(item, context)} reduces axis {axis} of {shape}, which has one element: it is always index 0"
            border = "> 0.5" if kind is OutputKind.SIGMOID else "> 0 for logits, > 0.5 for probabilities"
            advice = f"compare with a threshold ({border})"
            fixes = offer(context, "Compare with a threshold", threshold(item, kind), Applicability.UNSAFE)
            severity = None if kind in _UNITS else Severity.INFO
        elif axis == 0 and len(x.shape) == 2 and kind in _SCORES and x.shape[1] != 1 and runs_over_samples(x, axis):
            message = f"{operation(item, context)} reduces the batch axis of {shape}, not the classes"
            advice = f"use {'dim' if item.framework == 'torch' else 'axis'}=-1"
            fixes = offer(context, "Reduce the last axis", replace_argument(item, AXIS_NAMES, 0, "-1"), Applicability.UNSAFE)
        else:
            return
        related = [r for r in (origin(x, item, context),) if r]
        note = context.condition_note(item)
        yield context.finding(self, item, message + note, advice=advice, severity=severity, related=related, fixes=fixes)


def _is_single(op: Op, axis: int) -> bool:
    """Whether the axis has one element in a pass."""
    x = op.args.get("x")
    return isinstance(x, TensorVal) and isinstance(x.shape, tuple) and len(x.shape) > axis and x.shape[axis] == 1


#: The libraries' names of the axis a reduction runs over.
AXIS_NAMES = ("dim", "axis")
#: The score from which on a single unit says yes.
_BORDERS = {OutputKind.SIGMOID: "0.5", OutputKind.LOGITS: "0"}
_TO_INTEGERS = {"torch": "long()", "numpy": "astype(int)"}


@builder
def threshold(op: Op, kind: OutputKind) -> Edits:
    """``x.argmax(1)`` of one unit becomes ``(x[..., 0] > 0.5).long()``."""
    scores, border, cast = operand_text(op), _BORDERS.get(kind), _TO_INTEGERS.get(op.framework)
    keeps = op.args.get("keepdim", False)
    if (
        scores is None
        or border is None
        or cast is None
        or not does(op, Trait.PICKS_LARGE | Trait.POSITIONS)
        or not isinstance(keeps, bool)
    ):
        return ()
    taken = scores if keeps else f"{scores}[..., 0]"
    return replace_expression(op.site, op.site.node, f"({taken} > {border}).{cast}")
