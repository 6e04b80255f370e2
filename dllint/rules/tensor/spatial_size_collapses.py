"""DLT104: convolution or pooling arithmetic leaves no output."""

from __future__ import annotations

from typing import Any, ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Severity
from dllint.ir.program import Fault, Op
from dllint.rules.fault_rule import FaultRule
from dllint.rules.wording import operation, size


class SpatialSizeCollapses(FaultRule):
    """A convolution or pooling window is larger than what is left of the input.

    ## What it finds
    The output size along a spatial axis is not positive: the (dilated) kernel is larger than the padded input.

    ## Why it is bad
    The layer raises on every input of this size. The usual cause is one downsampling step too many, or channels-first
    data in a channels-last layer.

    ## Bad
    ```python
    import torch
    from torch import nn

    net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.MaxPool2d(4), nn.Conv2d(8, 8, 7))
    net(torch.randn(2, 1, 28, 28))  # error: [DLT104]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.MaxPool2d(4), nn.Conv2d(8, 8, 5))
    net(torch.randn(2, 1, 28, 28))
    ```

    ## When it stays silent
    An input size that is not known is assumed to be large enough.
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(3, 8, 7), nn.MaxPool2d(8), nn.Conv2d(8, 8, 7))

        def forward(self, x):
            return self.body(x)
    ```

    ## References
    - Nikanjam et al., NeuraLint: feature map too small.
    - Humbatova et al., ICSE 2020: wrong filter size for a convolutional layer; wrong amount of pooling.
    """

    code = "DLT104"
    name = "spatial-size-collapses"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:spatial-collapse",)
    suppresses = ("DLT101", "DLT109")

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The clause of the op (kernel against padded size), the axis and the input's shape."""
        axis = "" if fault.axis is None else f" on axis {fault.axis}"
        shape = f" of its input (shape {show_shape(fault.shapes[0])})" if fault.shapes else ""
        why = fault.detail or f"the output size would be {size(fault.actual)}"
        return (
            f"{operation(op, context)} leaves nothing{axis}{shape}: {why}; use a smaller kernel, padding, "
            "a larger input or one downsampling step less"
        )
