"""DLT125: a tensor is compared with the pair of values and places that a function returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import SequenceComparison
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted

#: What gives a named pair of values and indices along an axis.
_PAIRS: Final = having(Trait.RANKS) - having(Trait.POOLS)


class ComparisonWithPair(Rule[SequenceComparison]):
    """A tensor is compared with the pair of values and indices that a function of PyTorch returns.

    ## What it finds
    `==` and `!=` between a tensor and the result of `torch.max(x, dim)`, `min`, `sort`, `topk`, `median`, `mode` or `kthvalue`,
    which is a pair.

    ## Why it is bad
    Nothing is compared element by element: the answer is a single `False` (`True` for `!=`). Its `.sum()` raises
    `AttributeError`; an accuracy that is counted with it is 0.

    ## Bad
    ```python
    import torch

    scores, labels = torch.randn(4, 10), torch.randint(0, 10, (4,))
    predicted = torch.max(scores, 1)
    correct = predicted == labels  # error: [DLT125]
    ```

    ## Good
    ```python
    import torch

    scores, labels = torch.randn(4, 10), torch.randint(0, 10, (4,))
    _, predicted = torch.max(scores, 1)
    correct = (predicted == labels).sum()
    ```

    ## When it stays silent
    Comparisons with other sequences, such as an empty list.
    ```python
    import torch

    masks = torch.ones(4)
    if masks == []:
        print("none")
    ```

    ## References
    - PyTorch documentation, `torch.max`: returns a named tuple of values and indices.
    """

    code = "DLT125"
    name = "comparison-with-pair"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:sequence-comparison",)

    def check(self, item: SequenceComparison, context: Context) -> Iterator[Finding]:
        """A comparison with a sequence."""
        maker = _maker(item)
        if maker is None:
            return
        node = item.site.node
        answer = isinstance(node, cst.Comparison) and isinstance(node.comparisons[0].operator, cst.NotEqual)
        yield context.finding(
            self,
            item,
            f"{quoted(context.text(node))} is always {answer}: it asks for the pair (values, indices) of "
            f"{operation(maker, context)}{context.condition_note(item)}",
            advice="compare its second part: `.indices`",
            related=built(maker, context),
            fixes=offer(context, "Compare the indices", with_indices(item, context), Applicability.UNSAFE),
        )


@builder
def with_indices(item: SequenceComparison, context: Context) -> tuple[Edit, ...]:
    """``pair == x`` becomes ``pair.indices == x``."""
    node = item.site.node
    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return ()
    pair = node.left if item.is_left else node.comparisons[0].comparator
    if not isinstance(pair, (cst.Name, cst.Attribute, cst.Call)):
        return ()
    return replace_expression(item.site, pair, f"{context.text(pair)}.indices")


def _maker(item: SequenceComparison) -> Op | None:
    """The operation that gave both parts of a pair."""
    pair = item.sequence
    if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(part, TensorVal) for part in pair):
        return None
    makers = [part.producer for part in pair if isinstance(part, TensorVal)]
    return makers[0] if makers[0] is makers[1] and makers[0] is not None and makers[0].kind in _PAIRS else None
