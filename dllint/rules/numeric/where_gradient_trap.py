"""DLN107: a gradient that is not finite where a condition has left the value out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.gradients import is_differentiated, leaving_out, masks
from dllint.analysis.overflow import overflow
from dllint.analysis.ranges.uses import is_absorbed, is_weight
from dllint.domains.interval import Bound, Interval, Origin
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import having, having_any
from dllint.ops.ranges.conditions import constrained
from dllint.ops.ranges.hazards import Hazard, hazards
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guards import guard
from dllint.rules.numeric_evidence import because, certainty, evidence, flow
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.selected import selected_inside
from dllint.rules.wording import operation


@dataclass(frozen=True, slots=True)
class Danger:
    """The operand, its range, the end that shows the danger, and where the derivative is not finite."""

    operand: TensorVal
    found: Interval
    bound: Bound
    where: str
    limit: float = 0.0


class WhereGradientTrap(Rule[Op]):
    """A gradient that is not finite where a condition has left the value out.

    ## What it finds
    A logarithm, quotient, root, power, exponential or arc function whose result is chosen by `where`, filled by `masked_fill`,
    cut by `clamp` or multiplied by a condition, computed of numbers at which its derivative is infinite or NaN.

    ## Why it is bad
    The loss looks right. In the backward pass, what was left out has the gradient 0, which is multiplied by the derivative at
    that place: 0 · inf is NaN, and after one step all weights are.

    ## Bad
    ```python
    import torch

    x = torch.relu(torch.randn(4, 10, requires_grad=True))
    y = torch.where(x > 0, torch.log(x), torch.zeros_like(x))  # error: [DLN107]
    ```

    ## Good
    ```python
    import torch

    x = torch.relu(torch.randn(4, 10, requires_grad=True))
    inside = torch.where(x > 0, x, torch.ones_like(x))
    y = torch.where(x > 0, torch.log(inside), torch.zeros_like(x))
    ```

    ## When it stays silent
    An argument that is safe itself, functions of numbers that nothing is trained through, and code without gradients.
    ```python
    import torch

    x = torch.relu(torch.randn(4, 10, requires_grad=True))
    y = torch.where(x > 0, torch.log(x.clamp(min=1e-6)), torch.zeros_like(x))
    target = torch.relu(torch.randn(4, 10))
    entropy = torch.where(target > 0, target * torch.log(target), torch.zeros_like(target))
    with torch.no_grad():
        shown = torch.where(x > 0, torch.log(x), torch.zeros_like(x))
    ```

    ## References
    - TensorFlow documentation, `tf.where`: gradients of the branch that is not taken.
    - JAX documentation, *Gradients contain NaN where using where*.
    """

    code = "DLN107"
    name = "where-gradient-trap"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = (
        "op:log", "op:log2", "op:log10", "op:log1p", "op:div", "op:reciprocal", "op:sqrt", "op:rsqrt", "op:pow", "op:exp",
        "op:expm1", "op:acos", "op:asin", "op:acosh", "op:atanh", "op:norm", "op:std",
    )  # fmt: skip
    suppresses = ("DLN101", "DLN102", "DLN103", "DLN104")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A function whose result is left out in part."""
        if not item.outputs or "no_nan" in item.spelled:
            return
        danger = _danger(item, context.facts)
        if danger is None or not is_differentiated(item, item.output, context.facts):
            return
        taker = _taker(item, danger, context.facts)
        if taker is None:
            return
        gradient = f"the gradient of {operation(item, context)} is NaN where {operation(taker, context)} leaves its result out"
        message = f"{gradient}: {danger.where}{because(danger.bound)}"
        met = context.related(taker, "elements are left out here")
        inside = selected_inside(item, taker, danger.operand)
        yield context.finding(
            self,
            item,
            message + context.condition_note(item),
            advice="make the argument safe before the function is applied",
            related=[*evidence(item, danger.operand, context), *([met] if met else [])],
            flow=flow(item, danger.operand, context, met),
            fixes=[
                *offer(context, "Choose inside the function, too", inside, Applicability.UNSAFE),
                *_guarded(item, danger, context),
            ],
            severity=_severity(item, danger, taker),
            confidence=certainty(danger.bound),
        )


_BY_CONDITION: Final = having_any(Trait.CHOOSES | Trait.MULTIPLIES) | having(Trait.REPLACES | Trait.PUTS_NUMBER)


def _severity(op: Op, danger: Danger, taker: Op) -> Severity | None:
    """That training could make an argument so large is information, unless a condition shows that somebody expects it."""
    if danger.bound.origin is Origin.INPUT:
        return Severity.HINT
    expected = taker.kind in _BY_CONDITION
    return Severity.INFO if danger.bound.origin is Origin.TRAINED and not expected else None


@offering
def _guarded(op: Op, danger: Danger, context: Context) -> list[Fix]:
    name = next((name for name in ("x", "y") if op.args.get(name) is danger.operand), None)
    return guard(op, name, danger.found, context, danger.limit) if name is not None else []


def _taker(op: Op, danger: Danger, facts: Facts) -> Op | None:
    """What leaves elements of a result out: all its uses do, or it is multiplied by a condition that excludes the danger."""
    if is_absorbed(op, facts):
        return leaving_out(op, facts)
    for product, test in masks(op, facts):
        if constrained(danger.operand, danger.found, test, True, facts.ranges.of) != danger.found:
            return product
    return None


_OVERFLOWING: Final = having(Trait.EXPONENTIAL | Trait.NATURAL) | having(Trait.RAISES)


def _danger(op: Op, facts: Facts) -> Danger | None:
    """The first number that is known to be reached where the derivative is infinite or no number."""
    if op.framework == "tensorflow" and op.kind in _ZEROED:
        return None
    over = overflow(op, facts) if op.kind in _OVERFLOWING else None
    if over is not None and isinstance(over.operand, TensorVal):
        return Danger(over.operand, over.found, over.bound, f"above {over.limit:.1f} its derivative is infinite", over.limit)
    for hazard in hazards(op, lambda value: facts.ranges.at(op, value)):
        operand = op.args.get(hazard.operand)
        if not isinstance(operand, TensorVal) or not hazard.bound.known or is_weight(operand):
            continue
        found = facts.ranges.at(op, operand)
        if not _is_finite_beyond(op, hazard) and not _is_arbitrary(found):
            return Danger(operand, found, hazard.bound, _words(hazard))
    return None


#: Operations whose gradient TensorFlow takes for 0 where the gradient of their result is 0 (measured with TensorFlow 2.21).
_ZEROED: Final = having_any(Trait.ROOT | Trait.INVERTS | Trait.LENGTH | Trait.DEVIATION)
_LOGARITHMS: Final = having(Trait.LOGARITHM)


def _is_finite_beyond(op: Op, hazard: Hazard) -> bool:
    """A logarithm of a negative number is NaN, but its derivative is not."""
    return hazard.beyond and op.kind in _LOGARITHMS


def _is_arbitrary(found: Interval) -> bool:
    """Whether all that is said of the operand is that somebody else chooses it."""
    return found.low.value < 0 < found.high.value and Origin.INPUT in (found.low.origin, found.high.origin)


def _words(hazard: Hazard) -> str:
    return f"{'beyond' if hazard.beyond else 'at'} {hazard.point:g} its derivative is {'NaN' if hazard.beyond else 'infinite'}"
