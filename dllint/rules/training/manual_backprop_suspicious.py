"""DLO131: an autograd function returns another number of gradients than it has inputs, or reads what it has not saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.class_reads import class_reads
from dllint.analysis.modules import is_resolved, user_classes
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import Site
from dllint.ir.values import ClassVal
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import children, small_statements

_APPLY: Final = "torch.autograd.Function.apply"
_SAVES: Final = "save_for_backward"
_SAVED: Final = "saved_tensors"
#: Expressions that are one value, and no tuple that is held somewhere.
_SINGLE: Final = (cst.BinaryOperation, cst.UnaryOperation, cst.Subscript)


class ManualBackpropSuspicious(Rule[LibraryCall]):
    """A gradient that is written by hand does not fit its forward pass.

    ## What it finds
    Subclasses of `torch.autograd.Function` that are applied, and
    - whose `backward` returns fewer gradients than there are inputs, or more that are not `None`;
    - whose `backward` reads `ctx.saved_tensors` although nothing calls `save_for_backward`.

    ## Why it is bad
    The backward pass raises as soon as it comes there. Whether the numbers are right, `torch.autograd.gradcheck` can tell.

    ## Bad
    ```python
    import torch


    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor  # error: [DLO131]


    y = Scale.apply(torch.randn(3, requires_grad=True), 2.0)
    ```

    ## Good
    ```python
    import torch


    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None


    y = Scale.apply(torch.randn(3, requires_grad=True), 2.0)
    ```

    ## When it stays silent
    Tuples that are made elsewhere, unpacked arguments, further `None`, and functions that inherit a part of themselves.
    ```python
    import torch


    class Clamp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, low, high):
            ctx.save_for_backward(x)
            ctx.limits = low, high
            return x.clamp(low, high)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            low, high = ctx.limits
            gradients = grad * ((x > low) & (x < high)), None, None
            return gradients


    class Straight(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.round()

        @staticmethod
        def backward(ctx, grad):
            return grad, None


    x = torch.randn(3, requires_grad=True)
    y = Clamp.apply(x, 0.0, 1.0) + Straight.apply(x)
    ```

    ## References
    - PyTorch documentation, "Extending PyTorch": extending `torch.autograd`.
    """

    code = "DLO131"
    name = "manual-backprop-suspicious"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    default = "off"

    @classmethod
    def may_concern(cls, name: str) -> bool:
        """As of a rule."""
        return name == _APPLY

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """An application of an autograd function."""
        cls = item.receiver
        if item.name != _APPLY or not isinstance(cls, ClassVal) or len(user_classes(cls)) != 1 or not is_resolved(cls):
            return
        methods = class_reads(cls.node).methods
        backward = methods.get("backward")
        if backward is None or not isinstance(item.site.node, cst.Call):
            return
        inputs = None if any(argument.star for argument in item.site.node.args) else len(item.given)
        for statement, part in _returns(backward.node):
            count = _count(part, backward.node)
            if inputs is not None and count is not None and (count < inputs or count - _nones(part) > inputs):
                yield context.finding(
                    self,
                    Site(cls.document, statement, part),
                    f"`{cls.name}.backward` returns {count} gradient{'s' * (count != 1)} for {inputs} inputs, which raises",
                    advice="return one gradient for each input of forward, None where there is none",
                    related=[place for place in (context.related(item, "it is applied here"),) if place is not None],
                )
        text = cst.Module([]).code_for_node(cls.node)
        if _SAVED in cst.Module([]).code_for_node(backward.node) and _SAVES not in text:
            yield context.finding(
                self,
                Site(cls.document, backward.node, backward.node.name),
                f"`{cls.name}.backward` reads {quoted(f'ctx.{_SAVED}')}, which is empty: nothing calls {quoted(f'{_SAVES}()')}",
                advice="call ctx.save_for_backward() in forward with what backward needs",
                kind="saved",
            )


def _returns(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.Return]]:
    """The return statements of a function, each with its line, without those of functions in it."""
    for child in children(node):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        yield from ((child, part) for part in small_statements(child) if isinstance(part, cst.Return))
        yield from _returns(child)


def _count(part: cst.Return, function: cst.FunctionDef) -> int | None:
    """How many gradients a statement returns; ``None`` if that is not written there."""
    value = part.value
    if isinstance(value, cst.Tuple):
        return None if any(isinstance(element, cst.StarredElement) for element in value.elements) else len(value.elements)
    parameters = function.params.params
    is_gradient = isinstance(value, cst.Name) and len(parameters) == 2 and value.value == parameters[1].name.value
    return 1 if is_gradient or isinstance(value, _SINGLE) else None


def _nones(part: cst.Return) -> int:
    """How many of the last gradients that are returned are None."""
    elements = part.value.elements if isinstance(part.value, cst.Tuple) else ()
    count = 0
    for element in reversed(elements):
        if not isinstance(element.value, cst.Name) or element.value.value != "None":
            break
        count += 1
    return count
