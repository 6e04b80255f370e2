"""DLO119: a tensor is written to through ``.data``, behind the back of autograd."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import AttributeWrite, LibraryCall
from dllint.ir.program import TensorVal
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements

_ATTRIBUTE: Final = "data"
#: Methods that compute the new contents of a tensor from the old ones.
_COMPUTING: Final = re.compile(r"torch\.Tensor\.(add|sub|mul|div|clamp|clamp_min|clamp_max|clip|addcmul|addcdiv|lerp|neg)_$")


class DataAttributeBypass(Rule[AttributeWrite | LibraryCall]):
    """A tensor is changed through `.data`, which autograd does not see.

    ## What it finds
    `w.data -= step`, `w.data = w.data * 0.9` and `w.data.clamp_(-1, 1)`: statements that read a tensor and write it back
    through `.data`.

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
    topics: ClassVar[tuple[str, ...]] = ("event:attribute-write", "event:call")
    default = "hint"

    def check(self, item: AttributeWrite | LibraryCall, context: Context) -> Iterator[Finding]:
        """An attribute that is set on an object, or a method that is called."""
        tensor = _computed_in_place(item, context) if isinstance(item, LibraryCall) else _written(item, context)
        if tensor:
            yield context.finding(
                self,
                item,
                f"{quoted(tensor)} is changed through `.data`, which autograd does not see",
                advice=f"change {quoted(tensor)} itself inside `torch.no_grad()`",
            )


def _written(item: AttributeWrite, context: Context) -> str:
    """The text of the tensor whose contents a statement writes through `.data`; empty for none."""
    is_tensor = isinstance(item.receiver, TensorVal) and item.receiver.framework == "torch"
    if item.name != _ATTRIBUTE or not is_tensor or not _is_changed(item, context):
        return ""
    text: str = context.text(item).removesuffix(f".{_ATTRIBUTE}")
    return "" if text.endswith(".grad") else text


def _computed_in_place(item: LibraryCall, context: Context) -> str:
    """The text of the tensor whose `.data` a method changes, unless that is a gradient; empty for none."""
    node = item.site.node
    if not _COMPUTING.match(item.name) or not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return ""
    data = node.func.value
    if not isinstance(data, cst.Attribute) or data.attr.value != _ATTRIBUTE:
        return ""
    is_gradient = isinstance(data.value, cst.Attribute) and data.value.attr.value == "grad"
    return "" if is_gradient else context.text(data.value)


def _is_changed(item: AttributeWrite, context: Context) -> bool:
    """Whether a statement computes the new contents from the old ones."""
    target = item.site.node
    for small in small_statements(item.site.statement):
        if isinstance(small, cst.AugAssign) and small.target is target:
            return True
        if isinstance(small, cst.Assign) and any(one.target is target for one in small.targets):
            return context.text(target) in context.text(small.value)
    return False
