"""DLT122: given weights have another shape than the layer's."""

from __future__ import annotations

from typing import Any, ClassVar

from dllint.finding import Confidence, Severity
from dllint.ir.program import Fault, Op
from dllint.rules.fault_rule import FaultRule
from dllint.rules.wording import operation, size


class WeightsShapeMismatch(FaultRule):
    """Weights that are loaded into a layer have another shape than the layer's.

    ## What it finds
    `set_weights`, `weights=[matrix]` or an assigned parameter whose known shape, or number of arrays, is not the layer's.

    ## Why it is bad
    Loading raises, or the layer silently keeps a weight that does not fit its configuration.

    ## Bad
    ```python
    import torch
    from torch import nn

    fc = nn.Linear(4, 2)
    y = nn.functional.linear(torch.randn(3, 4), fc.weight, torch.zeros(3))  # error: [DLT122]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    fc = nn.Linear(4, 2)
    y = nn.functional.linear(torch.randn(3, 4), fc.weight, torch.zeros(2))
    ```

    ## When it stays silent
    Arrays that are not known, such as those of a file.
    ```python
    import torch
    from torch import nn

    fc = nn.Linear(4, 2)
    fc.load_state_dict(torch.load("fc.pt"))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong format of passed weights.
    """

    code = "DLT122"
    name = "weights-shape-mismatch"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    topics: ClassVar[tuple[str, ...]] = ("fault:weight-shape",)

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The layer's and the given shape."""
        weight = f"`{fault.operand}`" if fault.operand else "a weight"
        return (
            f"{operation(op, context)} is given {weight} of shape {size(fault.actual)}, but needs {size(fault.expected)}"
            f"{'; ' + fault.detail if fault.detail else ''}"
        )
