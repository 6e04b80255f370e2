"""DLT116: an index reaches beyond the rows that exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from dllint.analysis.index_bounds import beyond
from dllint.domains.dim import Dim, add, mul
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import increase, replace_constant
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.faults import INDEX_RANGE
from dllint.ops.kinds import does
from dllint.ops.sizes import is_dim, is_shape
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule, built
from dllint.rules.numeric_evidence import because, certainty, evidence, flow
from dllint.rules.offers import offer
from dllint.rules.wording import operation, size


class EmbeddingIndexRange(FaultRule):
    """An index reaches beyond the rows of an embedding or the classes of a one-hot code.

    ## What it finds
    The largest index that the data contains, or can contain by the operations that compute it (`randint`, `argmax`, a sum, a
    clamp, the numbers of a tokenizer's words), is not below `num_embeddings` (Keras: `input_dim`), or `padding_idx` lies
    outside the table; the same for `one_hot`. A padding or unknown token that was added after the vocabulary was counted is the
    usual cause, or words that are numbered from 1.

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
    topics: ClassVar[tuple[str, ...]] = ("fault:index-range", "op:embedding", "op:embedding_bag", "op:one_hot")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What the operation has proved of literal indices; else what is known of the range of those it is given."""
        if any(fault.kind == INDEX_RANGE for fault in item.faults):
            yield from super().check(item, context)
            return
        indices = item.args.get("x")
        found = beyond(item, indices, _rows(item), context.facts) if not item.doubtful else None
        if found is None:
            return
        reached, shape = int(found.bound.value), _of_shape(getattr(indices, "shape", None))
        taken = f"{operation(item, context)} has {_UNITS.get(item.kind, 'rows')} 0 to {found.rows - 1}"
        message = f"{taken}, but its input{shape} may reach {reached}{because(found.bound)}"
        places = [*built(item, context), *evidence(item, indices, context)]
        yield context.finding(
            self,
            item,
            message + context.condition_note(item),
            advice=remedy(reached, found.rows, item.kind),
            related=places,
            flow=flow(item, indices, context),
            fixes=_more_rows(item, "num_embeddings", reached, found.rows, context) if reached >= 0 else (),
            severity=Severity.ERROR if found.always and not item.path else Severity.WARNING,
            confidence=certainty(found.bound),
        )

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The largest index and the number of rows."""
        rows, index = size(fault.expected), size(fault.actual)
        shape = _of_shape(fault.shapes[0] if fault.shapes else None)
        name = operation(op, context)
        given = f"padding_idx is {index}" if fault.operand == "padding_idx" else f"its input{shape} reaches {index}"
        return f"{name} has rows 0 to {before(rows)}, but {given}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The size that would do."""
        if fault.operand == "padding_idx":
            return f"make padding_idx less than {size(fault.expected)}"
        return _remedy(fault)

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The table gets as many rows as the largest index needs."""
        if fault.operand == "padding_idx" or (isinstance(fault.actual, int) and fault.actual < 0):
            return []
        if not is_dim(fault.actual) or not is_dim(fault.expected):
            return []
        return _more_rows(op, fault.operand or "num_embeddings", fault.actual, fault.expected, context)


def _of_shape(shape: Value) -> str:
    return f" {show_shape(shape)}" if is_shape(shape) else ""


@offering
def _more_rows(op: Op, parameter: str, index: Dim, rows: Dim, context: Context) -> list[Fix]:
    """A number that is written gets the needed size; to what is computed, what is missing is added."""
    missing = add(add(index, 1), mul(rows, -1))
    edits = replace_constant(op.layer, parameter, index + 1) or increase(op.layer, parameter, missing)
    return offer(context, f"Use {size(index + 1)} rows", edits, Applicability.UNSAFE)


#: What the indices of an operation choose from, if not rows.
_UNITS: Final = {"one_hot": "classes"}


def _rows(op: Op) -> Any:
    """The number of rows of a table, or of classes where a larger index raises."""
    if does(op, Trait.ONE_HOT):
        return op.args.get("num_classes") if op.framework in ("torch", "numpy") else None
    weight = op.args.get("weight")
    if isinstance(weight, TensorVal):
        return weight.shape[0] if isinstance(weight.shape, tuple) and weight.shape else None
    return op.args.get("num_embeddings")


def before(rows: str) -> str:
    """The last valid index."""
    return str(int(rows) - 1) if rows.lstrip("-").isdigit() else f"{rows} - 1"


def _remedy(fault: Fault) -> str:
    if isinstance(fault.actual, (int, float)):
        return remedy(int(fault.actual), fault.expected)
    return f"use at least {size(fault.actual)} + 1 rows or keep the indices below {size(fault.expected)}"


def remedy(index: int, rows: Value, kind: str = "") -> str:
    """The size that takes the largest index."""
    if index >= 0:
        return f"use at least {index + 1} {_UNITS.get(kind, 'rows')} or keep the indices below {size(rows)}"
    return "shift the indices so that they start at 0"
