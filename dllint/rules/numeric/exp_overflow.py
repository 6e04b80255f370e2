"""DLN103: an exponential that overflows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

from dllint.analysis.range_use import is_absorbed, is_weight, is_worked_on, operand_range
from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Interval
from dllint.domains.interval_arithmetic import absolute, neg
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.ops.ranges.spec import format_of
from dllint.rules.guarding import at_most
from dllint.rules.numeric_evidence import because, certainty, evidence, flow, span_of, weight
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class ExpOverflow(Rule):
    """An exponential that overflows.

    ## What it finds
    `exp`, `expm1`, `exp2`, `sinh`, `cosh` and powers of a constant whose argument may be larger than what the element type
    can hold the exponential of: 88.7 in float32, 11.1 in float16. Outputs of layers and inputs may be anything.

    ## Why it is bad
    The result is inf; inf / inf, inf - inf and 0 * inf are NaN, in the loss or in its gradient. The variance of a variational
    autoencoder and a softmax written by hand are typical.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.log_variance = nn.Linear(8, 4)

        def forward(self, x):
            return torch.exp(self.log_variance(x))  # error: [DLN103]


    Encoder()(torch.randn(2, 8))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.log_variance = nn.Linear(8, 4)

        def forward(self, x):
            return torch.exp(self.log_variance(x).clamp(max=20.0))


    Encoder()(torch.randn(2, 8))
    ```

    ## When it stays silent
    Arguments that are bounded, that have their maximum subtracted or are nowhere positive, and a weight of its own, such as the
    logarithm of a temperature. Arithmetic on arguments of a function may be
    bounded by its meaning.
    ```python
    import torch
    from torch import nn


    class Scores(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(8, 4)
            self.log_scale = nn.Parameter(torch.zeros(1))

        def forward(self, x):
            scores = self.head(x)
            shifted = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            kernel = torch.exp(-(scores**2))
            return shifted, kernel, torch.exp(torch.tanh(scores) * 5), scores * self.log_scale.exp()
    ```

    ## References
    - Zhang et al., *Detecting Numerical Bugs in Neural Network Architectures* (DEBAR), FSE 2020.
    """

    code = "DLN103"
    name = "exp-overflow"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "numpy")
    topics: ClassVar[tuple[str, ...]] = ("op:exp", "op:expm1", "op:exp2", "op:sinh", "op:cosh", "op:pow")

    def check(self, item: Op, context: Any) -> Iterator[Finding]:
        """An exponential whose argument may be too large."""
        operand, fmt = _exponent(item), format_of(item.output.dtype if item.outputs else None, item.framework)
        if operand is None or is_weight(operand):
            return
        found = operand_range(item, operand, context.facts)
        high, limit = _steepest(item, found).high, _largest(item, fmt)
        if not high.known or high.value <= limit or is_worked_on(found, operand) or is_absorbed(item, context.facts):
            return
        message = (
            f"{operation(item, context)} takes the exponential of {span_of(found)}{because(high)}: "
            f"above {limit:.1f} it is infinite in {fmt.name}; limit the argument"
        )
        certain = _steepest(item, found).low.value > limit
        guard = at_most(item, fmt) if item.kind in ("exp", "expm1") else ()
        yield context.finding(
            self,
            item,
            message + context.condition_note(item),
            related=evidence(item, operand, context),
            flow=flow(item, operand, context),
            fixes=offer(context, "Limit the argument", guard, Applicability.UNSAFE),
            severity=weight(high, context, certain=not item.path and certain, bare=True),
            confidence=certainty(high),
        )


def _exponent(op: Op) -> Any:
    """The argument of the exponential; that of a power only if its base is a constant above 0."""
    if op.kind != "pow":
        return op.args.get("x")
    base = op.args.get("x")
    return op.args.get("y") if _is_base(base) else None


def _is_base(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0 and value != 1


def _steepest(op: Op, found: Interval) -> Interval:
    """The range in the direction in which the function grows."""
    if op.kind in ("sinh", "cosh"):
        return absolute(found)
    return neg(found) if op.kind == "pow" and op.args["x"] < 1 else found


def _largest(op: Op, fmt: FloatFormat) -> float:
    """The largest argument whose result is finite."""
    natural = math.log(fmt.largest)
    if op.kind == "exp2":
        return natural / math.log(2)
    return natural / abs(math.log(op.args["x"])) if op.kind == "pow" else natural
