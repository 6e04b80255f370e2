"""DLT101: a layer is built for another number of features than its input has."""

from __future__ import annotations

from typing import ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import replace_constant
from dllint.ir.program import Fault, Op
from dllint.ops.solve_input import fit
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.wording import DECLARED, operation, size


class LayerFeatureSizeMismatch(FaultRule):
    """A layer is built for another number of features than its input has.

    ## What it finds
    The size of a layer's feature axis, computed from the code, differs from the size the layer declares:
    `Linear(in_features)`, `Conv2d(in_channels)`, `BatchNorm2d(num_features)`, `LayerNorm(normalized_shape)`,
    `LSTM(input_size)` and their kin. A linear layer after the flattening of a convolution stack is the usual case.

    ## Why it is bad
    The forward pass raises, often only after the data has been loaded.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 16, 5)
            self.pool = nn.MaxPool2d(2)
            self.fc = nn.Linear(1600, 10)

        def forward(self, x):
            x = self.pool(torch.relu(self.conv(x)))
            return self.fc(x.flatten(1))  # error: [DLT101]


    Net()(torch.randn(8, 1, 28, 28))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 16, 5)
            self.pool = nn.MaxPool2d(2)
            self.fc = nn.Linear(2304, 10)

        def forward(self, x):
            x = self.pool(torch.relu(self.conv(x)))
            return self.fc(x.flatten(1))


    Net()(torch.randn(8, 1, 28, 28))
    ```

    ## When it stays silent
    A size that is not known, or not provably different, is no fault; lazy layers take what they get.
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.fc = nn.Linear(features, 10)
            self.head = nn.LazyLinear(2)

        def forward(self, x):
            return self.head(self.fc(x))
    ```

    ## References
    - Humbatova et al., *Taxonomy of Real Faults in Deep Learning Systems*, ICSE 2020: layers' dimensions mismatch.
    - Jhoo et al., *A Static Analyzer for Detecting Tensor Shape Errors in Deep Neural Network Training Code* (PyTea).
    """

    code = "DLT101"
    name = "layer-feature-size-mismatch"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:feature-size",)
    suppresses = ("DLT109",)

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """Both sizes, the axis, and the shape."""
        given = f"its input has {size(fault.actual)}{on_axis(fault)}{of_shape(fault)}"
        return f"{operation(op, context)} expects {declared(fault)}, but {given}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The value to write, and the size of image that the layer was built for."""
        return remedy(op, fault)

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The declared size is replaced, if it is written as a number."""
        if not isinstance(fault.actual, int):
            return []
        edits = replace_constant(op.layer, fault.operand, fault.actual)
        return offer(context, f"Set {fault.operand} to {fault.actual}", edits, Applicability.UNSAFE)


def declared(fault: Fault) -> str:
    """What the layer was built for: ``1600 input features``."""
    return f"{size(fault.expected)} {DECLARED.get(fault.operand, 'features')}"


def on_axis(fault: Fault) -> str:
    """``on axis 1``, if the axis is known."""
    return "" if fault.axis is None else f" on axis {fault.axis}"


def of_shape(fault: Fault) -> str:
    """The input's shape in brackets, if the fault has it."""
    return f" (shape {show_shape(fault.shapes[0])})" if fault.shapes else ""


def remedy(op: Op, fault: Fault) -> str:
    """The change at the layer where its constructor declares the size, else at the layers before it; and the size of image that
    would fit the layer as it is, where the axis at fault gets its size from that of an image."""
    configured = getattr(op.layer, "layer", None)
    if configured is None or fault.operand not in configured.nodes:
        return f"make the layer before it give {size(fault.expected)}"
    change = f"set {fault.operand}={size(fault.actual)} or change the layer before it"
    found = fit(op, fault.expected, fault.actual, fault.axis)
    if not found.inputs or not found.current:
        return change
    smallest = "×".join([str(found.inputs[0])] * len(found.current))
    given = "×".join(map(size, found.current))
    return f"{change} ({size(fault.expected)} is right for {smallest} images, these are {given})"
