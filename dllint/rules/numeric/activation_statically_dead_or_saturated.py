"""DLN112: an activation whose whole input lies where the function is flat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.domains.interval import Interval, Origin
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.rules.context import Context
from dllint.rules.numeric_evidence import report, span_of
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: Beyond this number sigmoid and tanh have no gradient to speak of: below 5e-5.
_FLAT: Final = 10.0


class ActivationStaticallyDeadOrSaturated(Rule[Op]):
    """An activation whose whole input lies where the function is flat.

    ## What it finds
    A sigmoid or tanh all of whose arguments are above 10 or below -10, and a ReLU none of whose arguments is above 0, by ranges
    that operations and literals give (raw pixels, constants). The rule is off unless it is selected.

    ## Why it is bad
    The result is the same for all inputs, and its gradient is 0: nothing before it is trained.

    ## Bad
    ```python
    import torch

    pixels = torch.rand(4, 10) * 255 + 100
    y = torch.sigmoid(pixels)  # error: [DLN112]
    ```

    ## Good
    ```python
    import torch

    pixels = torch.rand(4, 10) * 255 + 100
    y = torch.sigmoid(pixels / 255 - 0.5)
    ```

    ## When it stays silent
    Where anything is trained or given on the way, and where a part of the range is not flat.
    ```python
    import torch
    from torch import nn

    pixels = torch.rand(4, 10) * 255
    a = torch.tanh(nn.Linear(10, 2)(pixels))
    b = torch.relu(pixels - 1)
    ```

    ## References
    - Wardat et al., *DeepDiagnosis*, ICSE 2022: saturated and dead activations.
    """

    code = "DLN112"
    name = "activation-statically-dead-or-saturated"
    severity = Severity.WARNING
    confidence = Confidence.LOW
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("op:sigmoid", "op:tanh", "op:relu")
    default = "off"

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """An activation of numbers whose range is derived."""
        operand = item.args.get("x")
        if not isinstance(operand, TensorVal):
            return
        found = context.facts.ranges.at(item, operand)
        problem = _problem(item.kind, found)
        if problem is None or found.constant is not None:
            return
        message = f"{operation(item, context)} is computed of {span_of(found)}, so that {problem}"
        yield report(self, item, operand, message, context, advice="scale its input")


def _problem(kind: str, found: Interval) -> str | None:
    if found.origin is not Origin.DERIVED:
        return None
    if kind == "relu":
        return "it is always 0, and so is its gradient" if found.high.value <= 0 else None
    saturated = found.low.value > _FLAT or found.high.value < -_FLAT
    return "it is saturated everywhere, and has no gradient" if saturated else None
