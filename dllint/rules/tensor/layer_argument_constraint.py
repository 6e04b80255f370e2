"""DLT118: the arguments of a layer contradict each other."""

from __future__ import annotations

from typing import Any, ClassVar

from dllint.edit import Applicability
from dllint.finding import Confidence, Severity
from dllint.ir.program import Fault, Op
from dllint.rules.fault_rule import FaultRule
from dllint.rules.wording import operation, quoted, size


class LayerArgumentConstraint(FaultRule):
    """The arguments of a layer or function contradict each other.

    ## What it finds
    Channels that `groups` does not divide, an embedding width that the number of heads does not divide, `padding='same'`
    with a stride in PyTorch, an output padding not smaller than stride and dilation, negative sizes, a padding list
    for more axes than the tensor has.

    ## Why it is bad
    The constructor or the first call raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(30, 64, 3, groups=4)  # error: [DLT118]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(32, 64, 3, groups=4)
    ```

    ## When it stays silent
    Values that are not known.
    ```python
    from torch import nn


    def block(channels, groups):
        return nn.Conv2d(channels, 64, 3, groups=groups)
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong output padding.
    - PyTorch and Keras documentation of the layers.
    """

    code = "DLT118"
    name = "layer-argument-constraint"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:argument",)
    suppresses = ("DLT104", "DLT101", "DLT109")

    def concerns(self, op: Op, fault: Fault, context: Any) -> bool:
        """A negative size outside of the script itself is a default that says "set later"."""
        stands_for_unset = isinstance(fault.actual, int) and fault.actual < 0
        return not stands_for_unset or context.program.entry == "<module>"

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The violated constraint with the values."""
        name = f" {quoted(fault.operand)}" if fault.operand else " its arguments"
        values = "" if fault.actual is None else f" = {size(fault.actual)}"
        wanted = f", expected {size(fault.expected)}" if fault.expected is not None else ""
        return f"{operation(op, context)} does not accept{name}{values}: {fault.detail or 'the value is out of range'}{wanted}"
