"""DLN103: an exponential that overflows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.overflow import overflow
from dllint.analysis.ranges.uses import is_absorbed
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guards import guard
from dllint.rules.numeric_evidence import report
from dllint.rules.numeric_verdict import judged
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class ExpOverflow(Rule[Op]):
    """An exponential that overflows.

    ## What it finds
    `exp`, `expm1`, `exp2`, `sinh`, `cosh` and powers of a constant whose argument may be larger than what the element type
    can hold the exponential of: 88.7 in float32, 11.1 in float16. Outputs of layers and inputs may be anything.

    It is a warning where ordinary numbers lead there (a few are drawn for what is trained, random or given, and the
    operations computed), or where exponentials are added up and divided by their sum, or taken the logarithm of: a softmax
    written by hand. Otherwise the danger is only not excluded, and the report a hint.

    ## Why it is bad
    The result is inf; inf / inf, inf - inf and 0 * inf are NaN, in the loss or in its gradient. A softmax written by hand is
    typical; the variance of a variational autoencoder, for one, mostly stays small.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Pooling(nn.Module):
        def __init__(self):
            super().__init__()
            self.score = nn.Linear(8, 1)

        def forward(self, x):
            weights = torch.exp(self.score(x))  # error: [DLN103]
            return (weights * x).sum(dim=1) / weights.sum(dim=1)


    Pooling()(torch.randn(2, 5, 8))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Pooling(nn.Module):
        def __init__(self):
            super().__init__()
            self.score = nn.Linear(8, 1)

        def forward(self, x):
            weights = torch.softmax(self.score(x), dim=1)
            return (weights * x).sum(dim=1)


    Pooling()(torch.randn(2, 5, 8))
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

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """An exponential whose argument may be too large."""
        found = overflow(item, context.facts)
        if found is None or is_absorbed(item, context.facts):
            return
        name = "the argument" if found.direction else "the magnitude of the argument"
        verdict = judged(item, found.operand, found.found, found.bound, context, always=found.always, danger=found.is_met)
        yield report(
            self,
            item,
            found.operand,
            verdict.sentence(
                f"{name} of {operation(item, context)}",
                f"exceeds {found.limit:.1f}",
                f"where the result is infinite in {found.fmt.name}",
            ),
            context,
            advice="use softmax or logsumexp, or subtract the maximum first" if verdict.known else "limit the argument",
            fixes=[] if verdict.known else guard(item, _exponent(item), found.found, context, found.limit),
            severity=verdict.severity,
            confidence=verdict.confidence,
        )


def _exponent(op: Op) -> str:
    """The operand that is the exponent."""
    return "y" if does(op, Trait.RAISES) else "x"
