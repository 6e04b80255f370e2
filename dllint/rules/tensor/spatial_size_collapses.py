"""DLT104: convolution or pooling arithmetic leaves no output."""

from __future__ import annotations

from typing import ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Severity
from dllint.fixes.boundary import builder, offering
from dllint.fixes.operations import Edits, remove_operation, replace_constant, set_option
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.tensor.channel_order_mismatch import channels_first_image
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

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The clause of the op (kernel against padded size), the axis and the input's shape."""
        axis = "" if fault.axis is None else f" on axis {fault.axis}"
        shape = f" of {show_shape(fault.shapes[0])}" if fault.shapes else ""
        why = fault.detail or f"the output size would be {size(fault.actual)}"
        return f"{operation(op, context)} leaves nothing{axis}{shape}: {why}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """What leaves more of the input."""
        largest = f"a kernel of at most {size(fault.actual)}" if _fits(op, fault) else "a smaller kernel"
        return f"use {largest}, padding, a larger input or one downsampling step less"

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """A convolution is padded, or gets the largest kernel that fits; a pooling is left out."""
        x = op.args.get("x")
        if isinstance(x, TensorVal) and op.framework == "keras" and channels_first_image(x):
            return []
        if fault.operand == "x":
            return []
        unsafe = Applicability.UNSAFE
        left = [] if does(op, Trait.PLAIN_CONVOLUTION) else offer(context, "Leave out this step", remove_operation(op), unsafe)
        kernel = replace_constant(op.layer, "kernel_size", fault.actual) if _fits(op, fault) else ()
        return [
            *left,
            *offer(context, "Pad the input", padded(op), unsafe),
            *offer(context, f"Use a kernel of {size(fault.actual)}", kernel, unsafe),
        ]


def _fits(op: Op, fault: Fault) -> bool:
    """Whether a kernel as large as what is left would be one."""
    return isinstance(fault.actual, int) and fault.actual > 0 and op.args.get("dilation") in (1, (1, 1), None)


@builder
def padded(op: Op) -> Edits:
    """``padding="same"``, where PyTorch has it for steps of 1 only."""
    steps = op.args.get("stride")
    if op.framework == "torch" and (not does(op, Trait.PLAIN_CONVOLUTION) or steps not in (1, (1,), (1, 1), (1, 1, 1))):
        return ()
    return set_option(op.layer, "padding", '"same"')
