"""DLO119: a tensor is written to through ``.data``, behind the back of autograd."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import AttributeWrite
from dllint.ir.program import TensorVal
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements

_ATTRIBUTE: Final = "data"


class DataAttributeBypass(Rule[AttributeWrite]):
    """A tensor is changed through `.data`, which autograd does not see.

    ## What it finds
    `w.data -= step` and `w.data = w.data * 0.9`: statements that read a tensor and write it back through `.data`.

    ## Why it is bad
    Autograd counts the changes of a tensor to refuse gradients that are no longer those of the numbers that were used. A change
    through `.data` is not counted: gradients come out wrong, and nothing raises. Inside `torch.no_grad()` the tensor itself can
    be changed.

    ## Bad
    ```python
    import torch

    w = torch.randn(3, requires_grad=True)
    for _ in range(10):
        (w**2).sum().backward()
        w.data -= 0.1 * w.grad  # hint: [DLO119]
        w.grad = None
    ```

    ## Good
    ```python
    import torch

    w = torch.randn(3, requires_grad=True)
    for _ in range(10):
        (w**2).sum().backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    ```

    ## When it stays silent
    `.data` that is only read, tensors that get new contents from elsewhere, and objects that are not known to be tensors.
    ```python
    import torch
    from torch import nn

    layer = nn.Linear(4, 2)
    print(layer.weight.data.mean())
    layer.weight.data = torch.eye(2, 4)


    class Record:
        def __init__(self):
            self.data = 0


    record = Record()
    record.data += 1
    ```

    ## References
    - PyTorch 0.4 migration guide: what about `.data`.
    """

    code = "DLO119"
    name = "data-attribute-bypass"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:attribute-write",)
    default = "hint"

    def check(self, item: AttributeWrite, context: Context) -> Iterator[Finding]:
        """An attribute that is set on an object."""
        is_tensor = isinstance(item.receiver, TensorVal) and item.receiver.framework == "torch"
        if item.name != _ATTRIBUTE or not is_tensor or not _is_changed(item, context):
            return
        tensor = quoted(context.text(item).removesuffix(f".{_ATTRIBUTE}"))
        yield context.finding(
            self,
            item,
            f"{tensor} is changed through `.data`, which autograd does not see",
            advice=f"change {tensor} itself inside `torch.no_grad()`",
        )


def _is_changed(item: AttributeWrite, context: Context) -> bool:
    """Whether a statement computes the new contents from the old ones."""
    target = item.site.node
    for small in small_statements(item.site.statement):
        if isinstance(small, cst.AugAssign) and small.target is target:
            return True
        if isinstance(small, cst.Assign) and any(one.target is target for one in small.targets):
            return context.text(target) in context.text(small.value)
    return False
