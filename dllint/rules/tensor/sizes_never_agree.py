"""DLT123: sizes that meet differ for every size of the input or parameter that they depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.domains.agreement import never_agree
from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, normalize_axis, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.windows import kept_sizes
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having
from dllint.ops.ranges.spec import shape_of
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, size

_POINTWISE: Final = having(Trait.POINTWISE)
_JOINS: Final = having(Trait.CONCATENATES)
_PRODUCTS: Final = having(Trait.MATRIX_PRODUCT)
#: Two sizes that have to agree, and the axis, counted from the end, on which they meet.
Pair = tuple[Dim, Dim, int]


class SizesNeverAgree(Rule[Op]):
    """Sizes that meet differ for every size of the input or parameter that they depend on.

    ## What it finds
    Element-wise operations, concatenations and matrix products in code whose sizes are free (the image, a width that the caller
    chooses), where the two sizes that have to agree differ for each value of the free size from 1 to 1024 that leaves both of
    them above 1: a residual branch whose convolution has no padding, a skip connection with another stride.

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
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(_POINTWISE | _JOINS | _PRODUCTS))

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The first pair of sizes that never agree."""
        tensors = operands(item)
        if len(tensors) < 2 or item.faults or item.path:
            return
        for left, right, axis in pairs(item, [shape for _, shape in tensors]):
            free = never_agree(left, right)
            if free is not None:
                shapes = " and ".join(show_shape(shape) for _, shape in tensors[:2])
                sizes = f"{size(left)} and {size(right)} on axis {axis}"
                message = f"{operation(item, context)} takes shapes {shapes}: {sizes} differ for every {free.name}"
                related = [found for tensor, _ in tensors[:2] if (found := origin(tensor, item, context))]
                advice = "make the two sizes equal: padding, stride, kernel size or width of the layers before"
                fixes = [one for what, edits in kept_sizes(item) for one in offer(context, what, edits, Applicability.UNSAFE)]
                yield context.finding(self, item, message, advice=advice, related=related, fixes=fixes)
                return


def operands(op: Op) -> list[tuple[TensorVal, Shape]]:
    """The tensors that meet, as far as their ranks are known."""
    parts = op.args.get("tensors") if op.kind in _JOINS else (op.args.get("x"), op.args.get("y"))
    tensors = [part for part in parts if isinstance(part, TensorVal)] if isinstance(parts, tuple) else []
    return [(tensor, shape) for tensor in tensors if (shape := shape_of(tensor)) is not None and not isinstance(shape, Unknown)]


def pairs(op: Op, shapes: list[Shape]) -> Iterator[Pair]:
    """The sizes that an operation asks to be the same."""
    first, second = shapes[:2]
    if op.kind in _JOINS:
        axis = op.args.get("dim", 0)
        joined = normalize_axis(axis, len(first)) if isinstance(axis, int) else None
        for other in shapes[1:] if joined is not None else ():
            yield from _aligned(first, other, joined)
    elif op.kind in _PRODUCTS:
        if first and second:
            yield first[-1], second[-2 if len(second) > 1 else -1], -1
        if does(op, Trait.COUNTS_AXES) and len(first) == len(second) == 3:
            yield first[0], second[0], -3
    else:
        yield from _aligned(first, second, None)


def _aligned(a: Shape, b: Shape, joined: int | None) -> Iterator[Pair]:
    """The sizes of two shapes, from the last axis; those of the joined one are free."""
    if joined is not None and len(a) != len(b):
        return
    for back in range(1, min(len(a), len(b)) + 1):
        if joined is None or len(a) - back != joined:
            yield a[-back], b[-back], -back
