"""DLS212: masked scores that a softmax gives a weight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.zero_masks import zero_mask
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.fixes.boundary import builder
from dllint.ir.program import Op
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_SOFTMAX: Final = having(Trait.SOFTMAX)
_LEAST: Final = 'float("-inf")'


class MaskKeepsWeight(Rule[Op]):
    """Scores that are to be left out are set to a number near 0 before a softmax.

    ## What it finds
    `scores.masked_fill(mask, 0)`, `masked_fill(mask, 1e-9)`, `torch.where(mask, scores, 0)` and products with a condition,
    whose result goes into a softmax.

    ## Why it is bad
    A softmax gives a score of 0 the weight exp(0) = 1, as much as any other score has: attention goes to padding, or to the
    future that a causal mask is to hide. Training looks fine, and generation fails.

    ## Bad
    ```python
    import torch

    scores = torch.randn(2, 5, 5)
    hidden = torch.ones(5, 5).triu(1) == 1
    weights = scores.masked_fill(hidden, 0.0).softmax(dim=-1)  # error: [DLS212]
    ```

    ## Good
    ```python
    import torch

    scores = torch.randn(2, 5, 5)
    hidden = torch.ones(5, 5).triu(1) == 1
    weights = scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)
    ```

    ## When it stays silent
    Weights that are masked after the softmax, and rows of which everything was masked with a low number before.
    ```python
    import torch

    scores = torch.randn(2, 5, 5)
    hidden = torch.ones(5, 5).triu(1) == 1
    kept = (~hidden).float()
    weights = (scores * kept).softmax(dim=-1) * kept
    weights = weights / weights.sum(dim=-1, keepdim=True)
    empty = hidden.all(dim=-1, keepdim=True)
    others = scores.masked_fill(hidden, float("-inf")).masked_fill(empty, 0.0).softmax(dim=-1)
    ```

    ## References
    - Vaswani et al., NeurIPS 2017, section 3.2.3: masked connections are set to minus infinity.
    """

    code = "DLS212"
    name = "mask-keeps-weight"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(_SOFTMAX))

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The scores of a softmax."""
        found = zero_mask(item, context.facts)
        if found is None:
            return
        related = context.related(item, "the softmax is taken here")
        yield context.finding(
            self,
            found.op,
            f"scores masked with {found.number:g} are not left out: {operation(item, context)} gives them a weight like others",
            advice=f"set them to {_LEAST}",
            related=[related] if related else [],
            fixes=offer(context, f"Set them to {_LEAST}", masked_with_least(found.op), Applicability.UNSAFE),
        )


@builder
def masked_with_least(mask: Op) -> tuple[Edit, ...]:
    """``x.masked_fill(mask, 0)`` fills in minus infinity."""
    node = mask.site.node
    if not does(mask, Trait.PUTS_NUMBER) or not isinstance(node, cst.Call):
        return ()
    is_method = len(node.args) == 2
    return set_argument(mask.site, node, "value", _LEAST, 1 if is_method else 2)
