"""DLT124: an operation runs only for some of the sizes that a model can be built with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.meeting_sizes import LAYERS, MEETING, Meeting, meetings
from dllint.analysis.preconditions import is_relation, rounded
from dllint.analysis.roles import ROLES
from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, DimExpr
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, size


class SizesAgreeOnlyIf(Rule[Op]):
    """An operation runs only for some of the sizes that a model can be built with.

    ## What it finds
    Layers, element-wise operations, concatenations and matrix products in a model whose sizes are parameters of its
    constructor, where two sizes that have to agree are different expressions of them: `width * scale` and `width`, `inputs` and
    `outputs` of a residual block, `heads * (width // heads)` and `width`. The equation is what the caller has to see to.

    ## Why it is bad
    The model is built for all sizes and fails at the first batch for most of them. A number of classes or the size of a
    vocabulary that has to equal another width is a warning: the two have nothing to do with each other.

    ## Bad
    ```python
    from torch import nn


    class Mlp(nn.Module):
        def __init__(self, width, scale):
            super().__init__()
            self.up = nn.Linear(width, width * scale)
            self.down = nn.Linear(width, width)

        def forward(self, x):
            return self.down(self.up(x).relu())  # hint: [DLT124]
    ```

    ## Good
    ```python
    from torch import nn


    class Mlp(nn.Module):
        def __init__(self, width, scale):
            super().__init__()
            self.up = nn.Linear(width, width * scale)
            self.down = nn.Linear(width * scale, width)

        def forward(self, x):
            return self.down(self.up(x).relu())
    ```

    ## When it stays silent
    Code under a condition, which may compare the sizes, and sizes of inputs, which nobody chooses by building the model.
    ```python
    from torch import nn


    class Block(nn.Module):
        def __init__(self, inputs, outputs):
            super().__init__()
            self.conv = nn.Conv2d(inputs, outputs, 3, padding=1)
            self.same = inputs == outputs

        def forward(self, x):
            y = self.conv(x)
            if self.same:
                y = x + y
            return y
    ```

    ## References
    - PyTorch documentation, broadcasting semantics; `torch.nn.Linear`.
    """

    code = "DLT124"
    name = "sizes-agree-only-if"
    severity = Severity.HINT
    confidence = Confidence.MEDIUM
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(MEETING))

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The first relation between parameters that an operation needs."""
        if item.faults or item.path:
            return
        met = next(filter(is_relation, meetings(item)), None)
        if met is None:
            return
        severity = Severity.WARNING if are_unrelated(met.left, met.right) else Severity.HINT
        message = f"{operation(item, context)} runs only if {stated(met, may_be_one=does(item, Trait.POINTWISE))}"
        if item.kind in LAYERS:
            message += f": it expects {size(met.left)} on axis {met.axis} and gets {size(met.right)}"
        yield context.finding(
            self, item, message, severity=severity, advice="build the model so, or derive one size from the other"
        )


def are_unrelated(left: Dim, right: Dim) -> bool:
    """Whether one size is a number of classes or of words, and the other one another parameter by itself."""
    if not isinstance(left, DimExpr) or not isinstance(right, DimExpr) or left.symbol is None or right.symbol is None:
        return False
    return _counts(left.symbol) is not _counts(right.symbol)


def _counts(symbol: Symbol) -> bool:
    """Whether the labels or the vocabulary fix a size, by its name."""
    role = ROLES.get(symbol.name.rpartition(".")[2])
    return role is not None and (role.is_counted or "num_embeddings" in role.arguments)


def stated(met: Meeting, *, may_be_one: bool) -> str:
    """The relation, in words."""
    left, right, axis = met
    for whole, parts in ((left, right), (right, left)):
        divisor = rounded(parts, whole)
        if divisor is not None:
            return f"{size(whole)} is a multiple of {size(divisor)}"
    either = f" (or one of them is 1) on axis {axis}" if may_be_one else ""
    if isinstance(left, int):
        left, right = right, left
    return f"{size(left)} = {size(right)}{either}"
