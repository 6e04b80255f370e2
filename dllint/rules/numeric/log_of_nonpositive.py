"""DLN101: the logarithm of numbers that may be 0 or negative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.uses import is_absorbed, is_condition, is_exponentiated, is_worked_on, is_written, operand_range
from dllint.domains.interval import Interval, Origin
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.ir.values import Value
from dllint.ops.kinds import by_name
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guards import guard
from dllint.rules.numeric_evidence import report
from dllint.rules.numeric_verdict import judged
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: Where the logarithm ends.
_POLES: Final = by_name({Trait.LOGARITHM | Trait.SHIFTED: -1.0, Trait.LOGARITHM: 0.0})


#: Scores of either sign are no probabilities yet: a least value would hide that.
_FOR_SCORES: Final = "take the logarithm of what is positive: is a softmax, sigmoid or softplus missing?"


class LogOfNonpositive(Rule[Op]):
    """The logarithm of numbers that may be 0 or negative.

    ## What it finds
    `log`, `log2`, `log10` and `log1p` whose argument may reach the place where the logarithm is -inf, by what is known of
    the operations that made it: a sigmoid reaches 0 and 1, a rectifier 0, trained values and inputs anything. The range is
    computed in the argument's element type and in the order of the source: `1e-10 + 1 - p` has lost its small number in
    float32.

    It is a warning where ordinary numbers lead there (a few are drawn for what is trained, random or given, and the
    operations computed), or where a saturating activation or an even draw from [0, 1) is known to fail. Otherwise the danger
    is only not excluded, and the report a hint.

    ## Why it is bad
    The loss becomes -inf, or NaN where it is multiplied by 0; its gradient is NaN, and every weight after the next step.

    The logarithm of a condition (`torch.log(x < 1)`) is told as information only: -inf is what is meant there.

    ## Bad
    ```python
    import torch

    logits = torch.randn(4, 10, requires_grad=True)
    p = torch.relu(logits)
    loss = -torch.log(p).mean()  # error: [DLN101]
    ```

    ## Good
    ```python
    import torch

    logits = torch.randn(4, 10, requires_grad=True)
    p = torch.relu(logits)
    loss = -torch.log(p + 1e-8).mean()
    ```

    ## When it stays silent
    A guard that holds in the element type, a range that excludes 0, elements that a condition has taken, and results that a
    condition chooses (their gradient is the subject of DLN107).
    ```python
    import torch

    logits = torch.randn(4, 10, requires_grad=True)
    p = torch.relu(logits)
    clamped = torch.log(p.clamp(min=1e-6))
    counted = torch.log(1 + torch.exp(logits.clamp(max=20)) + p)
    picked = torch.log(p[p > 0])
    total = torch.exp(logits - logits.max(dim=1, keepdim=True).values).sum(dim=1)
    shifted = torch.log(total * 2)
    ```

    ## References
    - Zhang et al., *Detecting Numerical Bugs in Neural Network Architectures* (DEBAR), FSE 2020.
    - Yan et al., *Exposing Numerical Bugs in Deep Learning via Gradient Back-Propagation* (GRIST), FSE 2021.
    """

    code = "DLN101"
    name = "log-of-nonpositive"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "numpy")
    topics: ClassVar[tuple[str, ...]] = ("op:log", "op:log2", "op:log10", "op:log1p")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A logarithm whose argument may reach its pole."""
        operand, pole = item.args.get("x"), _POLES[item.kind]
        found = operand_range(item, operand, context.facts)
        always = found.high.value <= pole and found.high.origin <= Origin.STATED
        if is_absorbed(item, context.facts) or not (always or _may_be_reached(item, operand, found, pole, context.facts)):
            return
        verdict = judged(
            item, operand, found, found.low, context, always=always, danger=lambda elements: bool((elements.high <= pole).any())
        )
        severity = Severity.INFO if is_condition(operand) else Severity.ERROR
        beyond = found.low.value < pole
        yield report(
            self,
            item,
            operand,
            verdict.sentence(
                f"the argument of {operation(item, context)}",
                f"reaches {pole:g}{' and less' if beyond else ''}",
                "where it is -inf or NaN",
            ),
            context,
            advice=_FOR_SCORES if beyond else f"keep the argument above {pole:g}",
            fixes=() if beyond else guard(item, "x", found, context),
            severity=max(severity, verdict.severity, key=lambda level: level.rank),
            confidence=verdict.confidence,
        )


def _may_be_reached(op: Op, operand: Value, found: Interval, pole: float, facts: Facts) -> bool:
    """Whether the range says that an argument comes to the pole, and says so of the argument itself."""
    low = found.low
    if not low.known or low.value > pole or (low.value == pole and not low.closed):
        return False
    if is_written(operand):  # the logarithm of a mask of zeros and ones is meant to be -inf
        return False
    if low.value < pole:
        return not is_worked_on(found, operand)
    return (pole != 0 or found.has_zero) and not is_exponentiated(op, facts)
