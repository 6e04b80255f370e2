"""DLO131: an autograd function returns another number of gradients than it has inputs, or reads what it has not saved."""

from __future__ import annotations

import re
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
from dllint.source.walk import children, small_statements, walk

_APPLY: Final = "torch.autograd.Function.apply"
_SAVES: Final = "save_for_backward"
_SAVED: Final = "saved_tensors"
#: Expressions that are one value, and no tuple that is held somewhere.
_SINGLE: Final = (cst.BinaryOperation, cst.UnaryOperation, cst.Subscript)
_DIRTY: Final = "mark_dirty"
#: Names of methods that change a tensor in place.
_IN_PLACE: Final = re.compile(r"[a-z0-9]_$")
#: Methods of tensors that give one tensor.
_METHODS: Final = re.compile(
    r"(clone|contiguous|detach|masked_fill_?|mul_?|div_?|add_?|sub_?|neg|clamp_?|sum|mean|view|reshape|expand|expand_as|view_as"
    r"|type_as|to|float|double|half|t|transpose|permute|matmul|mm|bmm|unsqueeze|squeeze|abs|sign|exp|pow|where|index_select)$"
)


class ManualBackpropSuspicious(Rule[LibraryCall]):
    """A gradient that is written by hand does not fit its forward pass.

    ## What it finds
    Subclasses of `torch.autograd.Function` that are applied, and
    - whose `backward` returns fewer gradients than there are inputs, or more that are not `None`;
    - whose `backward` reads `ctx.saved_tensors` although nothing calls `save_for_backward`, or unpacks them into more or fewer
      names than tensors are saved;
    - whose `forward` changes one of its inputs in place and returns it without `ctx.mark_dirty`.

    ## Why it is bad
    The backward pass raises as soon as it comes there. What is changed without a word has wrong gradients elsewhere. Whether
    the numbers are right, `torch.autograd.gradcheck` can tell.

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
    calls: ClassVar[tuple[str, ...]] = (_APPLY,)
    default = "off"

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
            count = _count(part.value, backward.node)
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
        saved = _counts_saved(cls.node)
        for statement, names in _unpacked(backward.node):
            if saved and names not in saved:
                yield context.finding(
                    self,
                    Site(cls.document, statement, statement),
                    f"`{cls.name}.backward` unpacks {names} saved tensors, but {quoted(_SAVES)} is given"
                    f" {' or '.join(map(str, sorted(saved)))}",
                    advice="save in forward what backward unpacks, in the same order",
                    kind="unpacked",
                )
        forward = methods.get("forward")
        for statement, name in _changed_inputs(forward.node) if forward is not None and _DIRTY not in text else ():
            yield context.finding(
                self,
                Site(cls.document, statement, statement),
                f"`{cls.name}.forward` changes its input `{name}` in place, and `ctx.{_DIRTY}` is not told",
                advice=f"call `ctx.{_DIRTY}({name})`, or compute a new tensor",
                kind="dirty",
            )


def _counts_saved(cls: cst.CSTNode) -> frozenset[int]:
    """How many tensors a class saves, by each call that does so; empty if one of them does not say it."""
    counts = set[int]()
    for part in walk(cls):
        if isinstance(part, cst.Attribute) and part.attr.value == _SAVES:
            calls = [call for call in walk(cls) if isinstance(call, cst.Call) and call.func is part]
            if len(calls) != 1 or any(argument.star for argument in calls[0].args):
                return frozenset()
            counts.add(len(calls[0].args))
    return frozenset(counts)


def _unpacked(backward: cst.FunctionDef) -> Iterator[tuple[cst.CSTNode, int]]:
    """The statements that unpack all saved tensors, each with the number of names."""
    for part in walk(backward.body):
        if not isinstance(part, cst.SimpleStatementLine):
            continue
        for small in small_statements(part):
            if not isinstance(small, cst.Assign) or not isinstance(small.value, cst.Attribute):
                continue
            targets = [one.target for one in small.targets if isinstance(one.target, (cst.Tuple, cst.List))]
            plain = [target for target in targets if not any(isinstance(e, cst.StarredElement) for e in target.elements)]
            if small.value.attr.value == _SAVED and plain:
                yield part, len(plain[0].elements)


def _changed_inputs(forward: cst.FunctionDef) -> Iterator[tuple[cst.CSTNode, str]]:
    """The statements that give an input back which they change in place (`return x.clamp_(0, 1)`), with its name."""
    inputs = {parameter.name.value for parameter in forward.params.params[1:]}
    for statement, part in _returns(forward):
        method = part.value.func if isinstance(part.value, cst.Call) else None
        if isinstance(method, cst.Attribute) and isinstance(method.value, cst.Name) and _IN_PLACE.search(method.attr.value):
            name = method.value.value
            assigned = (one for one in walk(forward.body) if isinstance(one, cst.AssignTarget))
            if name in inputs and not any(_binds(one.target, name) for one in assigned):
                yield statement, name


def _returns(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.Return]]:
    """The return statements of a function, each with its line, without those of functions in it."""
    for child in children(node):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        yield from ((child, part) for part in small_statements(child) if isinstance(part, cst.Return))
        yield from _returns(child)


def _count(value: cst.BaseExpression | None, function: cst.FunctionDef) -> int | None:
    """How many gradients a statement returns; ``None`` if that is not written there."""
    if isinstance(value, cst.Tuple):
        return None if any(isinstance(element, cst.StarredElement) for element in value.elements) else len(value.elements)
    if isinstance(value, cst.Name):
        return 1 if _is_single(value.value, function) else None
    return 1 if _is_one(value) or _is_of_tensor(value, function) else None


def _is_one(value: cst.CSTNode | None) -> bool:
    """Whether an expression is one value: arithmetic, in which no tuple is written, or a part of something."""
    if not isinstance(value, _SINGLE):
        return False
    return isinstance(value, cst.Subscript) or not any(isinstance(part, cst.Tuple) for part in walk(value))


def _is_single(name: str, function: cst.FunctionDef, asked: frozenset[str] = frozenset()) -> bool:
    """Whether a name of a function is one gradient: its parameter, where there is one, and whatever is computed from that.
    What is computed from the names that are ``asked`` for is one value if these are."""
    if name in asked:
        return True
    parameters = function.params.params
    is_only = len(parameters) == 2 and not isinstance(function.params.star_arg, cst.Param)
    is_gradient = is_only and name == parameters[1].name.value
    assigns = [part for part in walk(function.body) if isinstance(part, cst.Assign)]
    bound = [one for part in assigns for one in part.targets if _binds(one.target, name)]
    named = [part for part in assigns for one in part.targets if isinstance(one.target, cst.Name) and one.target.value == name]
    if len(named) != len(bound) or not (named or is_gradient):
        return False
    return all(_is_one(part.value) or _is_of_tensor(part.value, function, asked | {name}) for part in named)


def _binds(target: cst.CSTNode, name: str) -> bool:
    return any(isinstance(part, cst.Name) and part.value == name for part in walk(target)) and not isinstance(
        target, (cst.Subscript, cst.Attribute)
    )


def _is_of_tensor(value: cst.BaseExpression | None, function: cst.FunctionDef, asked: frozenset[str] = frozenset()) -> bool:
    """Whether an expression calls a method of a gradient that gives one tensor (`grad.clone()`, `(grad * 2).sum(0)`)."""
    if (
        not isinstance(value, cst.Call)
        or not isinstance(value.func, cst.Attribute)
        or not _METHODS.match(value.func.attr.value)
    ):
        return False
    receiver = value.func.value
    if isinstance(receiver, cst.Name):
        return _is_single(receiver.value, function, asked)
    return _is_one(receiver) or _is_of_tensor(receiver, function, asked)


def _nones(part: cst.Return) -> int:
    """How many of the last gradients that are returned are None."""
    elements = part.value.elements if isinstance(part.value, cst.Tuple) else ()
    count = 0
    for element in reversed(elements):
        if not isinstance(element.value, cst.Name) or element.value.value != "None":
            break
        count += 1
    return count
