"""DLL113: ``KLDivLoss`` gets probabilities where it takes their logarithms, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.output_kind import OutputKind, source
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.operations import rename_attribute, replace_class
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: What is not the logarithm of a probability.
_NO_LOGARITHMS: Final = frozenset({OutputKind.LOGITS, OutputKind.SOFTMAX, OutputKind.SIGMOID})
_PROBABILITIES: Final = frozenset({OutputKind.SOFTMAX, OutputKind.SIGMOID})


class KldivConvention(Rule[Op]):
    """`KLDivLoss` gets probabilities as its input, or log-probabilities as its target.

    ## What it finds
    A first argument of `KLDivLoss` or `kl_div` that is the output of a softmax, a sigmoid or a layer; a second one that is the
    output of a log-softmax without `log_target=True`, or of a softmax with it.

    ## Why it is bad
    The loss is `target * (log(target) - input)`: with probabilities in place of the logarithms it is no divergence, not even 0
    for equal distributions, and its gradient pushes the wrong way. The logarithm of a negative target is NaN.

    ## Bad
    ```python
    import torch
    import torch.nn.functional as F

    student, teacher = torch.nn.Linear(8, 4), torch.nn.Linear(8, 4)
    x = torch.randn(16, 8)
    loss = F.kl_div(F.softmax(student(x), dim=1), F.softmax(teacher(x), dim=1), reduction="batchmean")  # error: [DLL113]
    ```

    ```python
    import torch
    from torch import nn

    student, teacher = nn.Linear(8, 4), nn.Linear(8, 4)
    x = torch.randn(16, 8)
    criterion = nn.KLDivLoss(reduction="batchmean")
    loss = criterion(student(x).log_softmax(1), teacher(x).log_softmax(1))  # error: [DLL113]
    ```

    ## Good
    ```python
    import torch
    import torch.nn.functional as F

    student, teacher = torch.nn.Linear(8, 4), torch.nn.Linear(8, 4)
    x = torch.randn(16, 8)
    loss = F.kl_div(F.log_softmax(student(x), dim=1), F.softmax(teacher(x), dim=1), reduction="batchmean")
    logarithms = F.log_softmax(teacher(x), dim=1)
    same = F.kl_div(F.log_softmax(student(x), dim=1), logarithms, reduction="batchmean", log_target=True)
    ```

    ## When it stays silent
    Logarithms that the program takes itself, models that are not known, and values that were changed in between.
    ```python
    import torch
    import torch.nn.functional as F


    def distance(student, teacher, x):
        return F.kl_div(student(x), teacher(x), reduction="batchmean")


    scores = torch.nn.Linear(8, 4)(torch.randn(16, 8))
    by_hand = F.kl_div((F.softmax(scores, dim=1) + 1e-8).log(), F.softmax(scores, dim=1), reduction="batchmean")
    ```

    ## References
    - PyTorch documentation, `torch.nn.KLDivLoss`.
    """

    code = "DLL113"
    name = "kldiv-convention"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("op:kl_div",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What has made the two distributions."""
        x, target = item.args.get("x"), item.args.get("target")
        if isinstance(x, TensorVal) and (made := source(x)).kind in _NO_LOGARITHMS and made.op is not None:
            message = (
                f"{operation(item, context)} takes log-probabilities, but its input is {_given(made.op, made.kind, context)}"
            )
            wanted = "logsigmoid" if made.kind is OutputKind.SIGMOID else "log_softmax"
            yield self._reported(item, made.op, message, wanted, context)
            return
        logarithms = unwrap(item.args.get("log_target", False))
        if not isinstance(target, TensorVal) or isinstance(logarithms, Unknown):
            return
        made = source(target)
        if made.op is None:
            return
        given = _given(made.op, made.kind, context)
        if made.kind is OutputKind.LOG_PROBABILITY and logarithms is False:
            message = f"{operation(item, context)} takes probabilities as its target, but gets {given}"
            yield self._reported(item, made.op, message, "softmax", context)
        elif made.kind in _PROBABILITIES and logarithms is True:
            message = f"{operation(item, context)} takes log-probabilities as its target, but gets {given}"
            yield self._reported(item, made.op, message, "log_softmax", context)

    def _reported(self, item: Op, maker: Op, message: str, wanted: str, context: Context) -> Finding:
        advice = f"use {wanted} there"
        related = [place for place in (origin(maker.output, item, context),) if place]
        fixes = offer(context, f"Use {wanted}", other_scale(maker, wanted), Applicability.UNSAFE)
        message += context.condition_note(item)
        return context.finding(self, item, message, advice=advice, related=related, fixes=fixes)


def _given(maker: Op, kind: OutputKind, context: Context) -> str:
    return f"the output of {operation(maker, context)} ({kind.value})"


@builder
def other_scale(maker: Op, wanted: str) -> tuple[Edit, ...]:
    """``log_softmax`` in place of ``softmax``, or the reverse; nothing for what is neither."""
    logarithms = does(maker, Trait.LOG_PROBABILITIES)
    if not does(maker, Trait.SHARES) and not logarithms:
        return ()
    if maker.layer is not None:
        return replace_class(maker.layer, "torch.nn.Softmax" if logarithms else "torch.nn.LogSoftmax")
    node = maker.site.node
    return rename_attribute(maker.site, node.func, wanted) if isinstance(node, cst.Call) else ()
