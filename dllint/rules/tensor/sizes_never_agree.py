"""DLT123: sizes that meet differ for every size of the input or parameter that they depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.meeting_sizes import LAYERS, MEETING, meetings, operands
from dllint.domains.agreement import never_agree
from dllint.domains.shape import show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.windows import kept_sizes
from dllint.ir.program import Op
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, size


class SizesNeverAgree(Rule[Op]):
    """Sizes that meet differ for every size of the input or parameter that they depend on.

    ## What it finds
    Element-wise operations, concatenations, matrix products and layers in code whose sizes are free (the image, a width that
    the caller chooses), where the two sizes that have to agree differ for each value of the free size from 1 to 1024 that
    leaves both of them above 1: a residual branch whose convolution has no padding, a skip connection with another stride, a
    layer that is built for a width of which the one before gives half.

    ## Why it is bad
    The operation raises with every usual input. It runs by broadcasting alone, where one of the sizes happens to be 1.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Residual(nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.conv = nn.Conv2d(channels, channels, kernel_size=3)

        def forward(self, x):
            return x + torch.relu(self.conv(x))  # error: [DLT123]
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Residual(nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.conv = nn.Conv2d(channels, channels, kernel_size=3, padding=1)

        def forward(self, x):
            return x + torch.relu(self.conv(x))
    ```

    ## When it stays silent
    Sizes that agree for some value (halves that are doubled again), sizes that depend on two free ones, and code under a
    condition, which may compare the sizes.
    ```python
    import torch
    from torch import nn


    class Skip(nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.down = nn.Conv2d(channels, channels, kernel_size=3, stride=2, padding=1)
            self.up = nn.Upsample(scale_factor=2)
            self.valid = nn.Conv2d(channels, channels, kernel_size=3)

        def forward(self, x):
            deep = self.up(self.down(x))
            return torch.cat([x, deep], dim=1), x[..., 1:-1, 1:-1] + self.valid(x)
    ```

    ## References
    - PyTorch documentation, broadcasting semantics; `torch.nn.Conv2d`, output size.
    """

    code = "DLT123"
    name = "sizes-never-agree"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(MEETING))

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The first pair of sizes that never agree."""
        if item.faults or item.path:
            return
        for left, right, axis in meetings(item):
            free = never_agree(left, right)
            if free is not None:
                tensors = operands(item)
                fixes = [one for what, edits in kept_sizes(item) for one in offer(context, what, edits, Applicability.UNSAFE)]
                related = [found for tensor, _ in tensors[:2] if (found := origin(tensor, item, context))]
                if item.kind in LAYERS:
                    message = f"{operation(item, context)} expects {size(left)} on axis {axis}, but its input has {size(right)}"
                    message, fixes = f"{message}: these differ for every {free.name}", []
                    advice = "make the two sizes equal: the width of this layer or of the layer before"
                else:
                    shapes = " and ".join(show_shape(shape) for _, shape in tensors[:2])
                    sizes = f"{size(left)} and {size(right)} on axis {axis}"
                    message = f"{operation(item, context)} takes shapes {shapes}: {sizes} differ for every {free.name}"
                    advice = "make the two sizes equal: padding, stride, kernel size or width of the layers before"
                yield context.finding(self, item, message, advice=advice, related=related, fixes=fixes)
                return
