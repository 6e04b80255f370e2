"""DLT121: a softmax over another axis than the classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.normalised_axis import Elsewhere, lost_elsewhere, read_elsewhere, summed_elsewhere
from dllint.analysis.output_kind import source
from dllint.analysis.weighing import weighs
from dllint.domains.lattice import Unknown
from dllint.domains.shape import normalize_axis, show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.fixes.boundary import offering
from dllint.fixes.operations import set_option
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted


class SoftmaxWrongAxis(Rule[Op]):
    """A softmax runs over another axis than the classes, or leaves the axis to a deprecated guess.

    ## What it finds
    `nn.Softmax()` or `F.softmax(x)` without `dim`, which PyTorch guesses from the rank with a warning; `dim=0` on
    the scores (N, C) of a linear layer, which normalises over the batch; scores whose classes are on another axis where a loss
    or an argmax reads them; and attention weights that sum to 1 along another axis than the one over which values are summed.

    ## Why it is bad
    Probabilities that sum to 1 over the batch depend on the other samples in it. A missing `dim` is told as information only,
    unless the tensor has three axes, of which PyTorch takes the first.

    ## Bad
    ```python
    import torch
    from torch import nn

    fc = nn.Linear(8, 10)
    p = torch.softmax(fc(torch.randn(32, 8)), dim=0)  # error: [DLT121]
    ```
    ```python
    import torch
    from torch import nn

    query, key, value = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
    x = torch.randn(4, 10, 8)
    weights = torch.softmax(query(x) @ key(x).transpose(1, 2), dim=1)  # error: [DLT121]
    y = weights @ value(x)
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    fc = nn.Linear(8, 10)
    p = torch.softmax(fc(torch.randn(32, 8)), dim=1)
    ```

    ## When it stays silent
    Scores of one axis, attention weights, weights that assign positions to groups (slots, clusters, experts), and channel-first
    segmentation maps with `dim=1`.
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(3, 21, 1)
    maps = torch.softmax(conv(torch.randn(2, 3, 8, 8)), dim=1)
    fc = nn.Linear(8, 10)
    one = torch.softmax(fc(torch.randn(8)), dim=0)
    ```

    ## References
    - PyTorch documentation, `torch.nn.functional.softmax`.
    """

    code = "DLT121"
    name = "softmax-wrong-axis"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("op:softmax", "op:log_softmax")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A missing ``dim`` in PyTorch, or ``dim=0`` on the scores of a batch."""
        x, dim = item.args.get("x"), item.args.get("dim")
        if not isinstance(x, TensorVal):
            return
        note = context.condition_note(item)
        if item.framework == "torch" and dim is None:
            name, advice = operation(item, context), f"write dim={axis_to_write(x)}"
            built = getattr(item.layer, "site", None)
            where = built if built is not None and built.node is not None else item
            used = context.related(item, "the softmax is taken here") if where is not item else None
            message = f"{name} has no dim, so PyTorch {guess(x)}{note}"
            evidence = [used] if used else []
            severity = self.severity if is_first_of_three(x) else Severity.INFO
            fixes = with_axis(item, x, context)
            yield context.finding(self, where, message, advice=advice, severity=severity, related=evidence, fixes=fixes)
        elif isinstance(dim, int) and over_batch(x, dim) and not weighs(item, context.facts):
            message = f"{operation(item, context)} normalises over the batch, axis 0 of {show_shape(x.shape)}{note}"
            yield context.finding(self, item, message, advice="use dim=-1")
        elif isinstance(dim, int) and not isinstance(x.shape, Unknown):
            axis = normalize_axis(dim, len(x.shape))
            read = None
            if axis is not None:
                read = read_elsewhere(item, axis, context.facts) or lost_elsewhere(item, axis, context.facts)
            if read is not None:
                yield self._classes(item, read, context)
            elif axis is not None and does(item, Trait.SHARES):
                yield from self._attention(item, axis, context)

    def _classes(self, op: Op, read: Elsewhere, context: Context) -> Finding:
        """Scores that are not made comparable along the axis of the classes."""
        message = f"{operation(op, context)} goes along axis {read.normalised} of {show_shape(read.weights.shape)}"
        message = f"{message}, but the classes are on axis {read.summed}{context.condition_note(op)}"
        here = context.related(read.product, "the classes are read here")
        shape = read.weights.shape
        last = not isinstance(shape, Unknown) and read.summed == len(shape) - 1
        advice = f"use {'dim' if op.framework == 'torch' else 'axis'}={-1 if last else read.summed}"
        if read.weights is not op.output:
            advice = "take the softmax along the axis of the classes"
        found: Finding = context.finding(self, op, message, advice=advice, related=[here] if here else [])
        return found

    def _attention(self, op: Op, axis: int, context: Context) -> Iterator[Finding]:
        """Weights of attention that do not sum to 1 over what they weigh."""
        found = summed_elsewhere(op, axis, context.facts)
        if found is None:
            return
        weighed = quoted(context.text(found.product.site.node))
        weights = f"weights of shape {show_shape(found.weights.shape)} sum to 1 along axis {found.normalised}"
        message = f"{weights}, but {weighed} sums over axis {found.summed}{context.condition_note(op)}"
        here = context.related(found.product, "the weights are taken here")
        advice = "use the axis that is summed"
        yield context.finding(self, op, message, advice=advice, related=[here] if here else [])


def guess(x: TensorVal) -> str:
    """Which axis PyTorch takes if none is named."""
    if isinstance(x.shape, Unknown):
        return "guesses the axis from the rank (0 for 1 or 3 axes, else 1)"
    return f"takes axis {0 if len(x.shape) in _FIRST_FOR else 1} of {show_shape(x.shape)}"


def is_first_of_three(x: TensorVal) -> bool:
    """Whether PyTorch surely takes the batch or the time axis. Of two axes it takes the classes, which is right as long as the
    warning of PyTorch does not become an error."""
    return not isinstance(x.shape, Unknown) and len(x.shape) == len(("batch", "time", "classes"))


#: Numbers of axes for which PyTorch takes the first axis; for three that is the batch or the time.
_FIRST_FOR = (0, 1, 3)


def axis_to_write(x: TensorVal) -> int:
    """The axis PyTorch takes, where that is the classes; else the last one."""
    if isinstance(x.shape, Unknown) or len(x.shape) == 3:
        return -1
    return 0 if len(x.shape) in _FIRST_FOR else 1


@offering
def with_axis(op: Op, x: TensorVal, context: Context) -> list[Fix]:
    """``dim`` written out; safe where it is the axis PyTorch takes anyway."""
    axis = axis_to_write(x)
    applicability = Applicability.UNSAFE if axis == -1 else Applicability.SAFE
    if op.layer is not None:
        edits = set_option(op.layer, "dim", str(axis))
    else:
        edits = set_argument(op.site, op.site.node, "dim", str(axis)) if isinstance(op.site.node, cst.Call) else ()
    return offer(context, f"Write dim={axis}", edits, applicability)


def over_batch(x: TensorVal, dim: int) -> bool:
    """Whether ``dim`` is the batch axis of a linear layer's scores (N, C) or (N, T, C)."""
    if isinstance(x.shape, Unknown) or len(x.shape) not in (2, 3) or normalize_axis(dim, len(x.shape)) != 0 or x.shape[-1] == 1:
        return False
    maker = source(x).op
    return does(maker, Trait.DENSE) and maker.output is x
