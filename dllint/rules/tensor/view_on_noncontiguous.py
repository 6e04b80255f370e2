"""DLT107: ``view`` of a tensor whose memory layout does not allow it."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import rename_attribute
from dllint.ir.program import Fault, Op
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.wording import operation, quoted


class ViewOnNoncontiguous(FaultRule):
    """`view` is asked to merge axes that are not adjacent in memory.

    ## What it finds
    `.view(...)` after `transpose`, `permute`, `.t()`, `expand` or a strided slice, where the new shape merges axes that
    these have moved apart. Strides are followed through the operations, so a view that stays possible is not reported.

    ## Why it is bad
    `view` never copies; it raises "view size is not compatible with input tensor's size and stride".

    ## Bad
    ```python
    import torch

    x = torch.randn(8, 16, 4, 32)
    x = x.transpose(1, 2)
    y = x.view(8, 4 * 16, 32)  # error: [DLT107]
    ```

    ## Good
    ```python
    import torch

    x = torch.randn(8, 16, 4, 32)
    x = x.transpose(1, 2)
    y = x.reshape(8, 4 * 16, 32)
    ```

    ## When it stays silent
    After `.contiguous()`, with `.reshape`, or when only axes that are still adjacent are merged or split.
    ```python
    import torch

    x = torch.randn(8, 16, 4, 32).transpose(1, 2)
    a = x.contiguous().view(8, 64, 32)
    b = x.view(8, 4, 16, 8, 4)
    ```

    ## References
    - PyTorch documentation, `torch.Tensor.view`.
    - Karpathy, *Most common neural net mistakes*: view is not transpose.
    """

    code = "DLT107"
    name = "view-on-noncontiguous"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("fault:view-stride",)

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The operation that permuted the axes, and the shapes."""
        x = op.inputs[0] if op.inputs else None
        mover = (
            f" {quoted(context.text(x.producer.site.node))}" if x is not None and x.producer is not None else " a transposition"
        )
        shapes = f" {show_shape(fault.shapes[0])}" if fault.shapes else ""
        target = f" to {show_shape(fault.shapes[1])}" if len(fault.shapes) > 1 else ""
        return f"{operation(op, context)} merges axes of{shapes}{target} that are not adjacent in memory after{mover}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The replacement."""
        return "use `reshape`, or `contiguous()` first"

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """``view`` becomes ``reshape``."""
        node = op.site.node
        func = node.func if isinstance(node, cst.Call) else None
        edits = (
            rename_attribute(op.site, func, "reshape") if isinstance(func, cst.Attribute) and func.attr.value == "view" else ()
        )
        return offer(context, "Use reshape", edits, Applicability.SAFE)
