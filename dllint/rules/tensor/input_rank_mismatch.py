"""DLT102: a layer or function gets a tensor with a number of axes it does not accept."""

from __future__ import annotations

from typing import Any, ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Severity
from dllint.ir.program import Fault, Op
from dllint.rules.fault_rule import FaultRule
from dllint.rules.wording import operation, ranks, size


class InputRankMismatch(FaultRule):
    """A layer or function gets a tensor with a number of axes it does not accept.

    ## What it finds
    The number of axes (rank) of the input is known and is none of those the layer takes: a batch of images without a
    channel axis into `Conv2d`, a flattened image into a convolution, a single sample without a batch axis.

    ## Why it is bad
    The call raises; where a library adds the missing axis itself, it may take the batch for the channels.

    ## Bad
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(1, 8, 3)
    x = torch.randn(64, 784)
    y = conv(x)  # error: [DLT102]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(1, 8, 3)
    x = torch.randn(64, 784)
    y = conv(x.view(64, 1, 28, 28))
    ```

    ## When it stays silent
    PyTorch's convolutions and recurrent layers accept one sample without a batch axis.
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(3, 8, 3)
    y = conv(torch.randn(3, 28, 28))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong shape of input data for a layer; data batching required.
    - Nikanjam et al., NeuraLint: missing reshape.
    """

    code = "DLT102"
    name = "input-rank-mismatch"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:rank",)
    suppresses = ("DLT101", "DLT109")

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The accepted and the actual number of axes, the shape, and how to get there."""
        shape = f" (shape {show_shape(fault.shapes[0])})" if fault.shapes else ""
        role = "its input" if fault.operand in ("", "x") else f"`{fault.operand}`"
        given = f"{role} has {size(fault.actual)}{shape}"
        return f"{operation(op, context)} takes tensors with {ranks(fault.expected)} axes, but {given}; {remedy(fault)}"


def remedy(fault: Fault) -> str:
    """Add the missing axes, or merge or drop the surplus ones."""
    wanted = fault.expected if isinstance(fault.expected, tuple | list) else (fault.expected,)
    known = [rank for rank in wanted if isinstance(rank, int)]
    if not known or not isinstance(fault.actual, int):
        return "reshape it first"
    missing = max(known) - fault.actual
    if missing == 1:
        return "add the missing batch or channel axis (unsqueeze, expand_dims)"
    if missing > 1:
        return f"reshape it to {max(known)} axes first"
    return "flatten, squeeze or index away the surplus axes first"
