"""DLA108: a tensor is given to ``torch.tensor``, which copies it and cuts it from the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.calls import replace_expression
from dllint.ir.program import Op, TensorVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule


class AmbiguousTensorConstructor(Rule[Op]):
    """A tensor is made of a tensor by `torch.tensor`.

    ## What it finds
    Calls of `torch.tensor` with a tensor that an operation of PyTorch has made.

    ## Why it is bad
    The tensor is copied and cut from the graph, so that no gradient reaches what it was computed from. PyTorch warns of it on
    every call, because `clone().detach()` or no copy at all is meant.

    ## Bad
    ```python
    import torch

    x = torch.ones(3, requires_grad=True)
    y = torch.tensor(x * 2)  # info: [DLA108]
    ```

    ## Good
    ```python
    import torch

    x = torch.ones(3, requires_grad=True)
    y = (x * 2).clone().detach()
    ```

    ## When it stays silent
    Numbers, lists and arrays, and what may be one of them.
    ```python
    import numpy as np
    import torch

    array = np.ones(3)
    a, b, c = torch.tensor([1, 2]), torch.tensor(array), torch.as_tensor(torch.ones(3))


    def convert(values):
        return torch.tensor(values)
    ```

    ## References
    - PyTorch's documentation of `torch.tensor`.
    """

    code = "DLA108"
    name = "ambiguous-tensor-constructor"
    severity = Severity.INFO
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("op:tensor",)
    default = "off"

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A call whose data is a tensor."""
        data = item.args.get("data")
        if item.spelled != "torch.tensor" or not isinstance(data, TensorVal) or data.framework != "torch":
            return
        if data.producer is None:
            return
        message = f"`torch.tensor` copies a tensor and cuts it from the graph{context.condition_note(item)}"
        yield context.finding(self, item, message, advice="write `.clone().detach()`", fixes=cloned(item, context))


@offering
def cloned(op: Op, context: Context) -> list[Fix]:
    """``torch.tensor(x)`` becomes ``x.clone().detach()``."""
    node = op.site.node
    if not isinstance(node, cst.Call) or len(node.args) != 1 or node.args[0].keyword is not None or node.args[0].star:
        return []
    value = node.args[0].value
    if not isinstance(value, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)):
        return []
    edits = replace_expression(op.site, node, f"{context.text(value)}.clone().detach()")
    return offer(context, "Clone and detach it", edits, Applicability.SAFE)
