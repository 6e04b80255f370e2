"""DLS205: a bias in front of a batch normalisation, which takes it away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.before_batch_norm import cancelled_biases
from dllint.analysis.built_here import where_built
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: The name of the option by framework.
_OPTION = {"torch": "bias", "keras": "use_bias"}


class BiasCancelledByNormalisation(Rule[Program]):
    """A layer has a bias that the batch normalisation behind it takes away again.

    ## What it finds
    A dense layer or a convolution with a bias, all of whose results go to batch normalisations, directly or through pooling.

    ## Why it is bad
    The normalisation subtracts the mean of each channel, and with it the bias, whatever it is: its gradient is 0, and it
    takes memory and time. The normalisation has a shift of its own.

    ## Bad
    ```python
    import torch
    from torch import nn

    block = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU())  # hint: [DLS205]
    y = block(torch.randn(8, 3, 32, 32))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    block = nn.Sequential(nn.Conv2d(3, 16, 3, bias=False), nn.BatchNorm2d(16), nn.ReLU())
    y = block(torch.randn(8, 3, 32, 32))
    ```

    ## When it stays silent
    An activation between the two, normalisations that mix channels, layers whose result is also used elsewhere, and programs
    that load weights, which have the bias.
    ```python
    import torch
    from torch import nn

    bent = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.BatchNorm2d(16))
    mixed = nn.Sequential(nn.Conv2d(3, 16, 3), nn.GroupNorm(4, 16), nn.ReLU())
    rows = nn.Sequential(nn.Linear(20, 16), nn.BatchNorm1d(10))
    x = torch.randn(8, 3, 32, 32)
    y = bent(x), mixed(x), rows(torch.randn(8, 10, 20))
    ```

    ## References
    - Ioffe and Szegedy, 2015, section 3.2, on the bias of the layer before; Nikanjam et al., NeuraLint: useless bias.
    """

    code = "DLS205"
    name = "bias-cancelled-by-normalisation"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The biases of a program that normalisations take away."""
        for found in cancelled_biases(context.facts):
            option = _OPTION.get(found.op.framework, "use_bias")
            names = operation(found.op, context), operation(found.norm, context)
            yield context.finding(
                self,
                where_built(found.op),
                f"{names[1]} subtracts the mean of each channel, and with it the bias of {names[0]}",
                advice=f"build the layer with {option}=False",
                related=built(found.norm, context),
            )
