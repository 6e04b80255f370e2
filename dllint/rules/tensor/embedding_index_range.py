"""DLT116: an index reaches beyond the rows that exist."""

from __future__ import annotations

from typing import Any, ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Severity
from dllint.fixes.operations import replace_constant
from dllint.ir.program import Fault, Op
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.wording import operation, size


class EmbeddingIndexRange(FaultRule):
    """An index reaches beyond the rows of an embedding or the classes of a one-hot code.

    ## What it finds
    The largest index that the data provably contains is not below `num_embeddings` (Keras: `input_dim`), or
    `padding_idx` lies outside the table. A padding or unknown token that was added after the vocabulary was counted is
    the usual cause.

    ## Why it is bad
    The lookup raises (on a GPU as a device-side assertion far from this line), or reads garbage.

    ## Bad
    ```python
    import torch
    from torch import nn

    vocabulary = 1000
    embed = nn.Embedding(vocabulary, 32)
    tokens = torch.tensor([[4, 17, 1000]])
    x = embed(tokens)  # error: [DLT116]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    vocabulary = 1000
    embed = nn.Embedding(vocabulary + 1, 32)
    tokens = torch.tensor([[4, 17, 1000]])
    x = embed(tokens)
    ```

    ## When it stays silent
    Indices whose bound is not known, or that stay below the table's size.
    ```python
    import torch
    from torch import nn

    embed = nn.Embedding(1000, 32)
    x = embed(torch.randint(0, 1000, (8, 20)))


    def look_up(tokens):
        return embed(tokens)
    ```

    ## References
    - Zhang et al., ISSTA 2018.
    - PyTorch documentation, `torch.nn.Embedding`.
    """

    code = "DLT116"
    name = "embedding-index-range"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:index-range",)

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The largest index, the number of rows, and the size that would do."""
        rows, index = size(fault.expected), size(fault.actual)
        shape = f" (indices of shape {show_shape(fault.shapes[0])})" if fault.shapes else ""
        name = operation(op, context)
        if fault.operand == "padding_idx":
            return f"{name} has {rows} rows, but padding_idx is {index}; make it less than {rows}"
        return f"{name} has {rows} rows (indices 0 to {before(rows)}), but its input reaches {index}{shape}; {remedy(fault)}"

    def fixes(self, op: Op, fault: Fault, context: Any) -> list[Fix]:
        """The table gets as many rows as the largest index needs."""
        if not isinstance(fault.actual, int) or fault.actual < 0 or fault.operand == "padding_idx":
            return []
        edits = replace_constant(op.layer, fault.operand or "num_embeddings", fault.actual + 1)
        return offer(context, f"Use {fault.actual + 1} rows", edits, Applicability.UNSAFE)


def before(rows: str) -> str:
    """The last valid index."""
    return str(int(rows) - 1) if rows.lstrip("-").isdigit() else f"{rows} - 1"


def remedy(fault: Fault) -> str:
    """The size that takes the largest index."""
    if isinstance(fault.actual, int | float) and fault.actual >= 0:
        return f"use at least {int(fault.actual) + 1} rows or keep the indices below {size(fault.expected)}"
    return "shift the indices so that they start at 0"
