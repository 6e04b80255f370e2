"""DLN102: a division by numbers that may be 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from dllint.analysis.ranges.uses import is_absorbed, is_drawn, is_written
from dllint.domains.dtype import DType
from dllint.domains.interval import Bound, Interval, Origin
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having_any
from dllint.ops.ranges.spec import laid_out
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guards import guard
from dllint.rules.numeric_evidence import report
from dllint.rules.numeric_verdict import judged
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

if TYPE_CHECKING:
    from dllint.domains.enclosure import Enclosure


class DivisionByPossibleZero(Rule[Op]):
    """A division by numbers that may be 0.

    ## What it finds
    `/`, `div`, `reciprocal` and `//` of floating-point numbers by a tensor whose range includes 0: a standard deviation, a
    norm, the sum of a mask, the difference of a maximum and a minimum, a trained gain.

    It is a warning where ordinary numbers lead there (a few are drawn for what is trained, random or given, and the
    operations computed), or where the deviation of a learned tensor, or one minus a sigmoid, is known to come to 0. Otherwise
    the danger is only not excluded, and the report a hint.

    ## Why it is bad
    A rectifier may give 0 everywhere, a constant picture has no deviation, an empty mask no sum. The quotient is inf or NaN,
    and so is all that is computed from it.

    ## Bad
    ```python
    import torch

    x = torch.relu(torch.nn.Linear(6, 10)(torch.randn(4, 6)))
    y = x / x.sum(dim=1, keepdim=True)  # error: [DLN102]
    ```

    ## Good
    ```python
    import torch

    x = torch.relu(torch.nn.Linear(6, 10)(torch.randn(4, 6)))
    y = x / (x.sum(dim=1, keepdim=True) + 1e-8)
    ```

    ## When it stays silent
    A small number added or a least value; sizes; a divisor that is an input of the function, about which nothing is said;
    arrays that are scaled by a statistic before anything is trained; a quotient that is chosen by a condition.
    ```python
    import torch

    x = torch.relu(torch.randn(4, 10))
    mean = x.sum() / x.shape[0]
    clamped = x / x.norm().clamp(min=1e-6)
    total = x.sum()
    if total > 0:
        x = x / total
    count = (x > 1).sum(dim=0)
    safe = x / torch.where(count == 0, torch.ones_like(count), count)


    def scaled(x, divisor):
        return torch.relu(x) / divisor
    ```

    ## References
    - Zhang et al., *Detecting Numerical Bugs in Neural Network Architectures* (DEBAR), FSE 2020.
    - Li et al., *Reliability Assurance for Deep Neural Network Architectures Against Numerical Defects* (RANUM), ICSE 2023.
    """

    code = "DLN102"
    name = "division-by-possible-zero"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "numpy")
    topics: ClassVar[tuple[str, ...]] = ("op:div", "op:reciprocal", "op:floor_divide")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A quotient whose divisor may be 0."""
        divisor = item.args.get("x" if does(item, Trait.INVERTS) else "y")
        if not isinstance(divisor, TensorVal) or not _is_float(item) or "no_nan" in item.spelled:
            return
        found = context.facts.ranges.at(item, divisor)
        bound = zero_bound(found)
        if bound is None or _is_arbitrary(found) or _scales_data(item, divisor) or is_absorbed(item, context.facts):
            return
        always = found.constant == 0
        if not always and (is_written(divisor) or is_drawn(divisor)):  # who wrote all of its numbers knows whether 0 is there
            return
        verdict = judged(
            item, divisor, found, bound, context, always=always and bound.origin <= Origin.STATED, danger=_holds_zero
        )
        yield report(
            self,
            item,
            divisor,
            verdict.sentence(f"the divisor of {operation(item, context)}", "reaches 0", "where the quotient is inf or NaN"),
            context,
            advice="keep the divisor away from 0",
            fixes=guard(item, "x" if does(item, Trait.INVERTS) else "y", found, context),
            severity=verdict.severity,
            confidence=verdict.confidence,
        )


def _holds_zero(elements: Enclosure) -> bool:
    return bool(((elements.low == 0) & (elements.high == 0)).any())


def zero_bound(found: Interval) -> Bound | None:
    """The weaker of the bounds on which it rests that 0 is reached; ``None`` if it is not known to be."""
    if not found.has_zero:
        return None
    ends = [end for end in (found.low, found.high) if end.value == 0]
    bound = min(ends, key=lambda end: end.origin) if ends else max(found.low, found.high, key=lambda end: end.origin)
    return bound if bound.known else None


def _is_arbitrary(found: Interval) -> bool:
    """Whether all that is said of the divisor is that the caller chooses it."""
    return found.low.value < 0 and found.origin is Origin.INPUT


#: Statistics by which data sets are scaled.
_SCALES: Final = having_any(Trait.DEVIATION | Trait.VARIANCE | Trait.LARGEST | Trait.SMALLEST | Trait.SUBTRACTS | Trait.LENGTH)


def _scales_data(op: Op, divisor: TensorVal) -> bool:
    """Whether arrays are scaled by a statistic of theirs before anything is trained: data sets are not constant."""
    maker = laid_out(divisor).producer
    return op.framework == "numpy" and maker is not None and maker.kind in _SCALES


def _is_float(op: Op) -> bool:
    dtype = op.output.dtype if op.outputs else None
    return not isinstance(dtype, DType) or dtype.kind == "float"
