"""DLN104: roots, powers and inverse functions at and beyond the border of their domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.gradients import is_differentiated
from dllint.analysis.range_use import is_absorbed, is_drawn, is_weight
from dllint.domains.interval import Bound, Interval, Origin
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.ops.ranges.hazards import Hazard, hazards
from dllint.rules.guards import guard
from dllint.rules.length_form import as_norm
from dllint.rules.numeric_evidence import because, certainty, report, span_of, weight
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


@dataclass(frozen=True, slots=True)
class Danger:
    """What goes wrong, the bound that shows it, and whether only the gradient is concerned."""

    text: str
    bound: Bound
    gradient: bool = False


class SqrtPowInverseDomain(Rule):
    """Roots, powers and inverse functions at and beyond the border of their domain.

    ## What it finds
    `sqrt`, `rsqrt` and `x ** 0.5` of numbers that may be negative; `rsqrt` and negative powers of numbers that may be 0;
    `sqrt` of trained numbers that reach 0, and `acos` and `asin` of ones that reach 1, where the gradient is infinite;
    `acos`, `asin` and `atanh` beyond their domain. In TensorFlow also the norm of what may be all 0, the standard deviation of
    what may be all alike and `atan2(0, 0)`, in torch `hypot(0, 0)`: their gradient is NaN there.

    ## Why it is bad
    The value is NaN, or the value is fine and its gradient is infinite, and NaN where it is multiplied by 0: one step later all
    weights are.

    ## Bad
    ```python
    import torch

    a = torch.randn(4, 10, requires_grad=True)
    b = torch.randn(4, 10)
    distance = torch.sqrt(((a - b) ** 2).sum(dim=1))  # error: [DLN104]
    ```

    ## Good
    ```python
    import torch

    a = torch.randn(4, 10, requires_grad=True)
    b = torch.randn(4, 10)
    distance = torch.sqrt(((a - b) ** 2).sum(dim=1) + 1e-12)
    ```

    ## When it stays silent
    A small number inside the root, `torch.linalg.norm` (its gradient at 0 is 0), and code that computes no gradient.
    ```python
    import torch

    a = torch.randn(4, 10, requires_grad=True)
    length = torch.linalg.norm(a, dim=1)
    limited = torch.acos(torch.tanh(a).clamp(-0.999, 0.999))
    with torch.no_grad():
        error = torch.sqrt((a**2).mean())
    ```

    ## References
    - Zhang et al., *Detecting Numerical Bugs in Neural Network Architectures* (DEBAR), FSE 2020.
    - Li et al., *Reliability Assurance for Deep Neural Network Architectures Against Numerical Defects* (RANUM), ICSE 2023.
    """

    code = "DLN104"
    name = "sqrt-pow-inverse-domain"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "numpy")
    topics: ClassVar[tuple[str, ...]] = (
        "op:sqrt", "op:rsqrt", "op:pow", "op:acos", "op:asin", "op:atanh", "op:acosh", "op:norm", "op:std", "op:hypot",
        "op:atan2",
    )  # fmt: skip

    def check(self, item: Op, context: Any) -> Iterator[Finding]:
        """A function at or beyond the border of its domain."""
        operand = item.args.get("x")
        if not isinstance(operand, TensorVal) or not item.outputs or is_weight(operand):
            return
        if item.kind in _WHERE and item.framework == "keras":  # it depends on the backend
            return
        found = context.facts.ranges.at(item, operand)
        danger = _danger(item, operand, found, context.facts)
        if danger is None or not danger.bound.known or is_absorbed(item, context.facts):
            return
        if danger.gradient and not is_differentiated(item, operand, context.facts):
            return
        message = (
            f"{operation(item, context)} is computed of {span_of(found)}{because(danger.bound)}: {danger.text}; "
            "keep the argument inside the domain, away from its border"
        )
        norm = as_norm(item) if danger.gradient else ()
        yield report(
            self,
            item,
            operand,
            message,
            context,
            fixes=[*offer(context, "Use the norm", norm, Applicability.SAFE), *guard(item, "x", found, context)],
            severity=weight(danger.bound, context, certain=not item.path and _always(item, found)),
            confidence=certainty(danger.bound),
        )


def _danger(op: Op, operand: TensorVal, found: Interval, facts: Facts) -> Danger | None:
    """The first hazard of the operand that is known to be reached."""
    for hazard in hazards(op, lambda value: found if value is operand else facts.ranges.at(op, value)):
        if hazard.point == 0 and found.low.value >= 0 and is_drawn(operand):
            continue
        if hazard.bound.known and not (_is_arbitrary(found) and (hazard.beyond or hazard.point == 0)):
            return Danger(_WHERE.get(op.kind) or _text(hazard), hazard.bound, hazard.value)
    return None


#: Where the gradient is none, for operations on several numbers together.
_WHERE: Final = {
    "norm": "where all of them are 0 its gradient is NaN",
    "std": "where all of them are alike its gradient is NaN",
    "hypot": "where both operands are 0 its gradient is NaN",
    "atan2": "where both operands are 0 its gradient is NaN",
}


def _text(hazard: Hazard) -> str:
    if hazard.beyond:
        return "of negative numbers it is NaN" if hazard.point == 0 else f"beyond {hazard.point:g} it is NaN"
    return f"at {hazard.point:g} " + ("its gradient is infinite" if hazard.value else "it is infinite")


def _is_arbitrary(found: Interval) -> bool:
    """Whether all that is said of the operand is that somebody else chooses it."""
    return found.low.value < 0 < found.high.value and Origin.INPUT in (found.low.origin, found.high.origin)


def _always(op: Op, found: Interval) -> bool:
    return op.kind in ("sqrt", "rsqrt") and found.high.known and found.high.value < 0
