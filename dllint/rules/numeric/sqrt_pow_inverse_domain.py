"""DLN104: roots, powers and inverse functions at and beyond the border of their domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.gradients import is_differentiated
from dllint.analysis.ranges.uses import is_absorbed, is_drawn, is_weight
from dllint.domains.interval import Bound, Interval, Origin
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import by_name, does, having_any
from dllint.ops.ranges.hazards import Hazard, hazards
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guards import guard
from dllint.rules.length_form import as_norm
from dllint.rules.numeric_evidence import report
from dllint.rules.numeric_verdict import judged
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

if TYPE_CHECKING:
    from dllint.domains.enclosure import Enclosure


@dataclass(frozen=True, slots=True)
class Danger:
    """What goes wrong (``reach``: where, ``text``: what), the bound that shows it, whether only the gradient is concerned, and
    the number at which, or beyond which, it does."""

    reach: str
    text: str
    bound: Bound
    gradient: bool
    hazard: Hazard
    whole: bool = False

    def is_met(self, elements: Enclosure) -> bool:
        """Whether one of the elements is surely there. Of functions of many elements together: all of them are alike."""
        if self.whole:
            return bool((elements.low == elements.high).all()) and len({*elements.low.ravel().tolist()}) == 1
        point = self.hazard.point
        if not self.hazard.beyond:
            return bool(((elements.low == point) & (elements.high == point)).any())
        outside = elements.high < point if self.hazard.bound.value < point else elements.low > point
        return bool(outside.any())


class SqrtPowInverseDomain(Rule[Op]):
    """Roots, powers and inverse functions at and beyond the border of their domain.

    ## What it finds
    `sqrt`, `rsqrt` and `x ** 0.5` of numbers that may be negative; `rsqrt` and negative powers of numbers that may be 0;
    `sqrt` of trained numbers that reach 0, and `acos` and `asin` of ones that reach 1, where the gradient is infinite;
    `acos`, `asin` and `atanh` beyond their domain. In TensorFlow also the norm of what may be all 0, the standard deviation of
    what may be all alike and `atan2(0, 0)`, in torch `hypot(0, 0)`: their gradient is NaN there.

    It is a warning where ordinary numbers lead there (a few are drawn for what is trained, random or given, and the
    operations computed), or where that is known to fail: the distance of two points, the length of a gradient, the root of an
    exponential, an arc cosine at its border. Otherwise the danger is only not excluded, and the report a hint.

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

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
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
        verdict = judged(item, operand, found, danger.bound, context, danger=danger.is_met, always=_always(item, found))
        norm = as_norm(item) if danger.gradient else ()
        yield report(
            self,
            item,
            operand,
            verdict.sentence(f"the argument of {operation(item, context)}", danger.reach, danger.text),
            context,
            advice="keep the argument inside the domain, away from its border",
            fixes=[*offer(context, "Use the norm", norm, Applicability.SAFE), *guard(item, "x", found, context)],
            severity=verdict.severity,
            confidence=verdict.confidence,
        )


def _danger(op: Op, operand: TensorVal, found: Interval, facts: Facts) -> Danger | None:
    """The first hazard of the operand that is known to be reached."""
    for hazard in hazards(op, lambda value: found if value is operand else facts.ranges.at(op, value)):
        if hazard.point == 0 and found.low.value >= 0 and is_drawn(operand):
            continue
        if hazard.bound.known and not (_is_arbitrary(found) and (hazard.beyond or hazard.point == 0)):
            return _described(op, hazard)
    return None


#: Where the gradient is none, for operations on several numbers together, and what must not be.
_WHERE: Final = by_name(
    {
        Trait.LENGTH: "is all 0",
        Trait.DEVIATION: "is constant",
        Trait.OF_PLANE: "is 0, 0",
    }
)


_OF_SEVERAL: Final = having_any(Trait.LENGTH | Trait.DEVIATION)


def _described(op: Op, hazard: Hazard) -> Danger:
    if op.kind in _WHERE:
        return Danger(_WHERE[op.kind], "where the gradient is NaN", hazard.bound, hazard.value, hazard, op.kind in _OF_SEVERAL)
    if hazard.beyond:
        side = "below" if hazard.bound.value < hazard.point else "above"
        return Danger(f"goes {side} {hazard.point:g}", "where it is NaN", hazard.bound, hazard.value, hazard)
    text = "where the gradient is infinite" if hazard.value else "where it is infinite"
    return Danger(f"reaches {hazard.point:g}", text, hazard.bound, hazard.value, hazard)


def _is_arbitrary(found: Interval) -> bool:
    """Whether all that is said of the operand is that somebody else chooses it."""
    return found.low.value < 0 < found.high.value and Origin.INPUT in (found.low.origin, found.high.origin)


def _always(op: Op, found: Interval) -> bool:
    return does(op, Trait.ROOT) and found.high.origin <= Origin.STATED and found.high.value < 0
