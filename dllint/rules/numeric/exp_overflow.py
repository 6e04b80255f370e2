"""DLN103: an exponential that overflows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from dllint.analysis.overflow import overflow
from dllint.analysis.range_use import is_absorbed
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.rules.guards import guard
from dllint.rules.numeric_evidence import because, certainty, report, span_of, weight
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
        found = overflow(item, context.facts)
        if found is None or is_absorbed(item, context.facts):
            return
        message = (
            f"{operation(item, context)} takes the exponential of {span_of(found.found)}{because(found.bound)}: "
            f"above {found.limit:.1f} it is infinite in {found.fmt.name}; limit the argument"
        )
        yield report(
            self,
            item,
            found.operand,
            message,
            context,
            fixes=guard(item, "y" if item.kind == "pow" else "x", found.found, context, found.limit),
            severity=weight(found.bound, context, certain=not item.path and found.always, bare=True),
            confidence=certainty(found.bound),
        )
